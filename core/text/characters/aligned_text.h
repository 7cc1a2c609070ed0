#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::text {

/// Bytes [begin, end) of the text that somebody gave us.
struct ByteSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A piece of text on its way through a tokenizer, which for each of its bytes knows where in the
/// original it came from. Inputs are therefore limited to 4 GiB.
class AlignedText {
 public:
  AlignedText() = default;
  /// The original itself.
  explicit AlignedText(std::string text) : m_text(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return m_text; }
  [[nodiscard]] bool isEmpty() const { return m_text.empty(); }
  /// Bytes of the original that [begin, end) came from; begin <= end <= text().size().
  [[nodiscard]] ByteSpan sourceOf(std::size_t begin, std::size_t end) const;
  [[nodiscard]] AlignedText slice(std::size_t begin, std::size_t end) const;

 private:
  friend class AlignedWriter;
  std::string m_text;
  std::vector<ByteSpan> m_spans;  ///< one a byte; empty: byte i is byte m_begin + i of the original
  std::uint32_t m_begin = 0;
};

/// Makes an AlignedText out of parts of another one and of replacements, front to back. What comes
/// out is bounded by the original: a tokenizer may say that every letter becomes a megabyte, or two
/// letters again and again.
class AlignedWriter {
 public:
  /// `from` must outlive the writer.
  explicit AlignedWriter(const AlignedText& from);

  void keep(std::size_t begin, std::size_t end);
  /// Writes `text` in place of [begin, end), or in front of it when that range is kept as well.
  void put(std::string_view text, std::size_t begin, std::size_t end);
  /// Error: Unsupported (more than the original lets expect).
  [[nodiscard]] Result<AlignedText> take();

 private:
  /// Makes room for `size` bytes more; false: they are too many.
  [[nodiscard]] bool makeRoom(std::size_t size);

  const AlignedText& m_from;
  std::size_t m_most;  ///< bytes
  bool m_isTooLong = false;
  AlignedText m_made;
};

}  // namespace ulp::text
