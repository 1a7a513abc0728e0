"""The engine: tensors, operations, the graph, backward. It knows no syntax and prints nothing."""
