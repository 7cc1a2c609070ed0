#include "core/tensors/archive/name_index.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/text/edit_distance.h"

namespace ulp::tensors {
namespace {

/// Length of the UTF-8 sequence at the front of `text`; 0 where there is none.
std::size_t sequenceLength(std::string_view text) {
  const auto byteAt = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byteAt(0);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byteAt(i) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  // Overlong forms, surrogates, and code points beyond U+10FFFF.
  const std::uint8_t second = byteAt(1);
  const bool refused = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                       (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
  return refused ? 0 : length;
}

}  // namespace

std::string quotedName(std::string_view name) {
  constexpr std::size_t kLongest = 120;
  std::string text = "'";
  while (!name.empty()) {
    if (text.size() > kLongest) {
      text += "…";
      break;
    }
    const std::size_t length = sequenceLength(name);
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
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
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

}  // namespace ulp::tensors
