#include "core/text/characters/aligned_text.h"

#include <fmt/format.h>
#include <utility>

namespace ulp::text {
namespace {

/// What any text may become, and as how many bytes of the original a long one may come out. Of what
/// Unicode has, U+FDFA grows most: spelled in bytes, 22 times.
constexpr std::size_t kFreeBytes = 256;
constexpr std::size_t kMostGrowth = 32;

std::size_t mostBytesOf(const AlignedText& text) {
  const ByteSpan source = text.sourceOf(0, text.text().size());
  return kFreeBytes + kMostGrowth * (source.end - source.begin);
}

}  // namespace

ByteSpan AlignedText::sourceOf(std::size_t begin, std::size_t end) const {
  if (m_spans.empty()) {
    return {static_cast<std::uint32_t>(m_begin + begin), static_cast<std::uint32_t>(m_begin + end)};
  }
  if (begin == end) {
    const std::uint32_t place = begin < m_spans.size() ? m_spans[begin].begin : m_spans.back().end;
    return {place, place};
  }
  return {m_spans[begin].begin, m_spans[end - 1].end};
}

AlignedText AlignedText::slice(std::size_t begin, std::size_t end) const {
  AlignedText part;
  part.m_text = m_text.substr(begin, end - begin);
  if (m_spans.empty()) {
    part.m_begin = static_cast<std::uint32_t>(m_begin + begin);
  } else {
    part.m_spans.assign(m_spans.begin() + static_cast<std::ptrdiff_t>(begin),
                        m_spans.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return part;
}

AlignedWriter::AlignedWriter(const AlignedText& from) : m_from(from), m_most(mostBytesOf(from)) {
  m_made.m_text.reserve(from.m_text.size());
  m_made.m_spans.reserve(from.m_text.size());
}

bool AlignedWriter::makeRoom(std::size_t size) {
  m_isTooLong = m_isTooLong || size > m_most - m_made.m_text.size();
  return !m_isTooLong;
}

Result<AlignedText> AlignedWriter::take() {
  if (m_isTooLong) {
    return fail(
        ErrorCode::Unsupported,
        fmt::format("the tokenizer makes more than {} bytes of a part of the text; no model "
                    "was trained with such a tokenizer",
                    m_most));
  }
  return std::move(m_made);
}

void AlignedWriter::keep(std::size_t begin, std::size_t end) {
  if (!makeRoom(end - begin)) {
    return;
  }
  m_made.m_text.append(m_from.m_text, begin, end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    m_made.m_spans.push_back(m_from.sourceOf(i, i + 1));
  }
}

void AlignedWriter::put(std::string_view text, std::size_t begin, std::size_t end) {
  if (!makeRoom(text.size())) {
    return;
  }
  m_made.m_text += text;
  m_made.m_spans.insert(m_made.m_spans.end(), text.size(), m_from.sourceOf(begin, end));
}

}  // namespace ulp::text
