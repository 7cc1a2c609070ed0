#include "core/text/characters/aligned_text.h"

namespace ulp::text {

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

AlignedWriter::AlignedWriter(const AlignedText& from) : m_from(from) {
  m_made.m_text.reserve(from.m_text.size());
  m_made.m_spans.reserve(from.m_text.size());
}

void AlignedWriter::keep(std::size_t begin, std::size_t end) {
  m_made.m_text.append(m_from.m_text, begin, end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    m_made.m_spans.push_back(m_from.sourceOf(i, i + 1));
  }
}

void AlignedWriter::put(std::string_view text, std::size_t begin, std::size_t end) {
  m_made.m_text += text;
  m_made.m_spans.insert(m_made.m_spans.end(), text.size(), m_from.sourceOf(begin, end));
}

}  // namespace ulp::text
