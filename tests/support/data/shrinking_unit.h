#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "core/base/files/mapped_file.h"
#include "core/dumps/model/dump.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::test {

/// One tensor of float32, an output of a module, whose file loses its second page between the
/// opening and the reading of its elements.
class ShrinkingUnit final : public dumps::DumpUnit {
 public:
  explicit ShrinkingUnit(const std::string& module = "m") {
    entries.push_back({.name = "Module." + module + ".Module.forward.0",
                       .kind = dumps::EntryKind::Module,
                       .module = module,
                       .operation = "Module",
                       .rowCount = 1});
    rows.push_back({.name = entries.front().name + ".output.0",
                    .role = dumps::Role::Output,
                    .index = "0",
                    .dtype = "torch.float32",
                    .shape = {static_cast<std::int64_t>(2 * m_page / sizeof(float))},
                    .hasElements = true});
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    const auto path = m_folder.write("data", std::string(2 * m_page, '\x3F'));
    auto file = MappedFile::open(path);
    if (!file) {
      return tl::unexpected<Error>(file.error());
    }
    std::filesystem::resize_file(path, m_page);
    return tensors::Tensor{
        {(*file)->bytes().data(), DType::Float32, rows[row].shape}, *file, *file};
  }

 private:
  std::size_t m_page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  TempDir m_folder;
};

}  // namespace ulp::test
