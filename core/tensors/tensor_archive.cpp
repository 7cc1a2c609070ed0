#include "core/tensors/tensor_archive.h"
