#include "core/dumps/msit/recorded_unit.h"

#include <fmt/format.h>
#include <utility>

#include "core/tensors/formats/atb/atb_file.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;

bool isAtb(const fs::path& file) {
  return file.extension() == ".bin";
}

Result<> describeAtb(DumpRow& row, const fs::path& file) {
  const auto opened = ULP_TRY(tensors::AtbFile::open(file));
  const tensors::AtbHeader& header = opened->header();
  row.dtype = header.typeName();
  row.shape = opened->tensors().front().shape;
  row.hasElements = header.hasElements || !header.sameAs.empty();
  if (row.statistics.isEmpty()) {
    row.statistics = {
        .max = header.max, .min = header.min, .mean = header.mean, .norm = header.norm};
  }
  return {};
}

Result<> describeTorch(DumpRow& row, const fs::path& file) {
  const auto opened = ULP_TRY(tensors::TorchFile::open(file));
  if (opened->tensors().size() != 1) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: holds {} tensors where one was expected",
                            file.string(),
                            opened->tensors().size()));
  }
  const tensors::TensorInfo& tensor = opened->tensors().front();
  row.dtype = "torch." + tensor.storedAs;
  row.shape = tensor.shape;
  row.hasElements = true;
  return {};
}

}  // namespace

Result<tensors::Tensor> RecordedUnit::read(std::size_t row) const {
  if (!rows[row].hasElements) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no elements were dumped", rows[row].name));
  }
  return readTensorFile(files[row]);
}

void RecordedUnit::addRow(DumpRow row, const fs::path& file) {
  if (!file.empty()) {
    const Result<> described = isAtb(file) ? describeAtb(row, file) : describeTorch(row, file);
    if (!described) {
      notes.push_back(described.error().message());
      row.hasElements = true;  // reading it says why it cannot be read
    }
  }
  DumpUnit::addRow(std::move(row));
  files.push_back(file);
}

}  // namespace ulp::dumps::msit
