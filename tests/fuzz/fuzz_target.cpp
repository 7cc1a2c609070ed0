#include <cstddef>
#include <cstdint>

// The build says which target this is.
#include ULP_FUZZ_HEADER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulp::test::ULP_FUZZ_FUNCTION(data, size);
  return 0;
}
