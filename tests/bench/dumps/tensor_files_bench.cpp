// Makes a folder of COUNT (100,000) small files, half .pt and half .npy, and opens it as a dump;
// then reads each .pt file once. Usage: tensor_files_bench [COUNT]
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/dumps/importers/importer.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "tests/bench/aim.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::bench {
namespace {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::string torchFile() {
  std::string storage(256, '\0');
  return tensors::archiveOf(tensors::PickleBytes().tensor("0", 64, 0, {8, 8}, {8, 1}).end(),
                            storage);
}

std::string nameOf(std::size_t i) {
  return "layers." + std::to_string(i / 500) + "/tensor." + std::to_string(i) +
         (i % 2 == 0 ? ".pt" : ".npy");
}

int run(std::size_t count) {
  const test::TempDir dir;
  const std::string torch = torchFile();
  const std::string npy = tensors::npyBytes("<f4", "(8, 8)", std::string(256, '\0'));
  for (std::size_t i = 0; i < count; ++i) {
    dir.write(nameOf(i), i % 2 == 0 ? torch : npy);
  }
  for (const char* round : {"first", "second"}) {
    const Stopwatch watch;
    const auto dump = dumps::openDump(dir.path());
    const auto unit = dump ? (*dump)->openUnit(0) : tl::unexpected(dump.error());
    if (!unit || (*unit)->rows.size() != count) {
      std::printf("the folder was not read\n");
      return 1;
    }
    printFigure({"a folder of " + std::to_string(count) + " files, " + round + " time", 5.0, "s"},
                watch.seconds());
  }
  const Stopwatch watch;
  for (std::size_t i = 0; i < count; i += 2) {
    if (!tensors::readTorchTensor(dir / nameOf(i))) {
      return 1;
    }
  }
  printFigure("opening and reading a small .pt file",
              watch.seconds() * 1e6 / (static_cast<double>(count) / 2),
              "µs");
  return 0;
}

}  // namespace
}  // namespace ulp::bench

int main(int argc, char** argv) {
  std::size_t count = 100'000;
  if (argc > 1) {
    const std::string_view text(argv[1]);
    std::from_chars(text.data(), text.data() + text.size(), count);
  }
  return ulp::bench::run(count);
}
