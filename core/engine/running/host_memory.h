#pragma once

namespace ulp::engine {

/// Makes the C library keep freed memory for the next allocation instead of giving it back to the
/// system, and take it in pages of 2 MB where the system offers them. A run frees and allocates
/// gigabytes of activations and gradients; without this, half of a study's time goes into page
/// faults, the clearing of the same pages again, and misses of the address cache. Process-wide;
/// memory in use at the peak stays the same.
void keepFreedMemory();

}  // namespace ulp::engine
