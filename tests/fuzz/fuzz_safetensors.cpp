#include "core/tensors/safetensors.h"
#include "tests/fuzz/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulp::tensors;
  if (const auto archive = parseSafetensors(fuzzSource(data, size))) {
    touchAll(**archive);
  }
  return 0;
}
