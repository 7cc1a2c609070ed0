#pragma once

// In place of CUDA's, which only its own compiler reads.
#include "tests/core/engine/emulated/device_threads.h"
