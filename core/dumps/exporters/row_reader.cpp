#include "core/dumps/exporters/row_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace ulp::dumps {
namespace {

constexpr std::size_t kShown = 3;
constexpr std::string_view kTorch = "torch.";
/// Types that are read as wider ones (core/tensors/elements/stored_type.h), in the words of torch
/// and of safetensors.
constexpr std::array<std::string_view, 8> kWidened{
    "uint16", "uint32", "uint64", "float8_e8m0fnu", "U16", "U32", "U64", "F8_E8M0"};

}  // namespace

RowReader::~RowReader() {
  if (m_unread > 0) {
    m_unit.notes.push_back(fmt::format("{} tensors could not be read and {}: {}{}",
                                       m_unread,
                                       m_consequence,
                                       fmt::join(m_problems, "; "),
                                       m_unread > m_problems.size() ? "; …" : ""));
  }
}

Result<> RowReader::read(std::size_t row,
                         const std::function<Result<>(const tensors::Tensor&)>& use) {
  if (m_unit.stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "the export was cancelled");
  }
  const auto tensor = m_unit.unit.read(row);
  if (!tensor) {
    if (tensor.error().code() == ErrorCode::OutOfMemory) {
      return tl::unexpected<Error>(tensor.error());
    }
    ++m_unread;
    if (m_problems.size() < kShown) {
      m_problems.push_back(tensor.error().message());
    }
    return {};
  }
  ++m_read;
  auto used = use(*tensor);
  if (used) {
    used = tensors::checkIntact(*tensor);
  }
  if (tensor->file != nullptr) {
    tensor->file->release(tensor->view.bytes());
  }
  return used;
}

void Conversions::add(const DumpRow& row, DType read, DType written) {
  std::string_view recorded = row.dtype;
  if (recorded.starts_with(kTorch)) {
    recorded.remove_prefix(kTorch.size());
  }
  const bool isWidened = std::ranges::find(kWidened, recorded) != kWidened.end() || read != written;
  if (isWidened) {
    const std::string from(read != written ? toString(read) : recorded);
    ++m_counts[{from, written}];
  }
}

void Conversions::note(std::vector<std::string>& notes) const {
  for (const auto& [types, count] : m_counts) {
    notes.push_back(fmt::format("{} tensors of {} are written as {}, which holds every value",
                                count,
                                types.first,
                                toString(types.second)));
  }
}

}  // namespace ulp::dumps
