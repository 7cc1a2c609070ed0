#include "core/tensors/archive/name_index.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/text/edit_distance.h"
#include "core/base/text/utf8.h"

namespace ulp::tensors {
namespace {

class ListedArchive final : public TensorArchive {
 public:
  ListedArchive(std::filesystem::path path, std::vector<TensorInfo> tensors, ReadListed read)
      : m_path(std::move(path)),
        m_tensors(std::move(tensors)),
        m_read(std::move(read)),
        m_index(m_tensors) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_path, name));
    return m_read(m_tensors[position], position);
  }

 private:
  std::filesystem::path m_path;
  std::vector<TensorInfo> m_tensors;
  ReadListed m_read;
  NameIndex m_index;
};

}  // namespace

std::string quotedName(std::string_view name) {
  constexpr std::size_t kLongest = 120;
  std::string text = "'";
  while (!name.empty()) {
    if (text.size() > kLongest) {
      text += "…";
      break;
    }
    const std::size_t length = wellFormedSizeAt(name, 0);
    const bool printable = length > 1 || (length == 1 && name[0] >= ' ' && name[0] != '\x7f');
    if (printable) {
      text += name.substr(0, length);
    } else {
      text += '?';
    }
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text + "'";
}

bool isUtf8(std::string_view text) {
  return !invalidUtf8At(text);
}

std::string_view nearestName(std::string_view name, std::span<const TensorInfo> tensors) {
  // Beyond these sizes the search would take longer than its hint is worth.
  constexpr std::size_t kLongest = 256;
  constexpr std::size_t kMost = 5000;
  std::string_view nearest;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const TensorInfo& tensor : tensors.first(std::min(tensors.size(), kMost))) {
    const std::size_t distance =
        editDistance(name.substr(0, kLongest), std::string_view(tensor.name).substr(0, kLongest));
    if (distance < smallest) {
      smallest = distance;
      nearest = tensor.name;
    }
  }
  return nearest;
}

NameIndex::NameIndex(std::span<const TensorInfo> tensors) : m_tensors(tensors) {
  m_positions.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    m_positions.emplace(tensors[i].name, i);
  }
}

Result<std::size_t> NameIndex::find(const std::filesystem::path& path,
                                    std::string_view name) const {
  const auto found = m_positions.find(name);
  if (found != m_positions.end()) {
    return found->second;
  }
  std::string message = path.string() + ": no tensor " + quotedName(name);
  const std::string_view nearest = nearestName(name, m_tensors);
  message +=
      nearest.empty() ? "; the file holds none" : "; the nearest name is " + quotedName(nearest);
  return fail(ErrorCode::NotFound, message);
}

TensorArchivePtr makeArchive(std::filesystem::path path,
                             std::vector<TensorInfo> tensors,
                             ReadListed read) {
  return std::make_shared<const ListedArchive>(
      std::move(path), std::move(tensors), std::move(read));
}

}  // namespace ulp::tensors
