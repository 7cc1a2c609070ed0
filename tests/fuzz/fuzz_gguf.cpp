#include "core/tensors/gguf.h"
#include "tests/fuzz/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulp::tensors;
  if (const auto file = GgufFile::parse(fuzzSource(data, size))) {
    touchAll(**file);
    for (const GgufEntry& entry : (*file)->metadata()) {
      static_cast<void>((*file)->integers(entry.key));
      static_cast<void>((*file)->reals(entry.key));
      static_cast<void>((*file)->texts(entry.key));
      static_cast<void>((*file)->text(entry.key));
    }
  }
  return 0;
}
