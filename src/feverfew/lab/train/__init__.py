"""How what lies in `weights/` was learned; the only room that may import torch."""
