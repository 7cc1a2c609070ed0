#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/raw_address.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

class RawUnit final : public DumpUnit {
 public:
  explicit RawUnit(RawAddress address) : m_address(std::move(address)) {
    const std::string name = m_address.file.stem().string();
    entries.push_back({.name = name, .kind = EntryKind::Tensor, .rowCount = 1});
    rows.push_back({.name = name,
                    .role = Role::Value,
                    .dtype = m_address.layout.dtype,
                    .shape = m_address.layout.shape,
                    .hasElements = true});
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t /*row*/) const override {
    return tensors::readRawTensor(m_address.file, m_address.layout);
  }

 private:
  RawAddress m_address;
};

class RawDump final : public Dump {
 public:
  RawDump(const fs::path& opened, RawAddress address) : m_address(std::move(address)) {
    importer = "raw_elements";
    format = "elements without a header";
    path = opened;
    units.push_back({.axes = {}, .path = m_address.file});
  }

  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t /*unit*/,
                                             const std::stop_token& /*stop*/,
                                             const Progress& /*progress*/) const override {
    return std::make_shared<RawUnit>(m_address);
  }

 private:
  RawAddress m_address;
};

/// A file whose own name looks like an address is what it is.
Claim recognise(const fs::path& path) {
  std::error_code status;
  if (fs::exists(path, status)) {
    return Claim::No;
  }
  const auto address = parseRawAddress(path);
  return address && fs::is_regular_file(address->file, status) ? Claim::Certain : Claim::No;
}

Result<DumpPtr> open(const fs::path& path, const std::stop_token& /*stop*/) {
  auto address = parseRawAddress(path);
  if (!address) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: is not of the form FILE:float32[4,8]", path.string()));
  }
  // What does not fit is said now rather than at the first comparison.
  if (auto read = tensors::readRawTensor(address->file, address->layout); !read) {
    return tl::unexpected<Error>(std::move(read.error()));
  }
  return std::make_shared<RawDump>(path, std::move(*address));
}

}  // namespace

void registerRawElements(ImporterRegistry& registry) {
  registry.add({"raw_elements", "elements without a header (FILE:float32[4,8])", recognise, open});
}

}  // namespace ulp::dumps
