#include <algorithm>
#include <bit>
#include <cstring>

#include "core/text/tokenizers/sentencepiece_tokenizer.h"

namespace ulp::text {
namespace {

static_assert(std::endian::native == std::endian::little, "protobuf stores numbers little-endian");

/// Writes the wire format of protocol buffers.
class ProtoWriter {
 public:
  void number(unsigned field, std::uint64_t value) {
    varint(field << 3U);
    varint(value);
  }
  void bytes(unsigned field, std::string_view value) {
    varint(field << 3U | 2U);
    varint(value.size());
    m_bytes += value;
  }
  void real(unsigned field, float value) {
    varint(field << 3U | 5U);
    char bits[sizeof(value)];
    std::memcpy(bits, &value, sizeof(value));
    m_bytes.append(bits, sizeof(bits));
  }
  [[nodiscard]] const std::string& result() const { return m_bytes; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
      m_bytes += static_cast<char>(0x80U | (value & 0x7FU));
    }
    m_bytes += static_cast<char>(value);
  }
  std::string m_bytes;
};

}  // namespace

// Field numbers: https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
std::string sentencePieceModel(const SentencePieceDefinition& definition) {
  ProtoWriter model;
  for (const Piece& piece : definition.pieces) {
    ProtoWriter one;
    one.bytes(1, piece.spelling);
    one.real(2, piece.score);
    one.number(3, static_cast<std::uint64_t>(piece.kind));
    model.bytes(1, one.result());
  }
  const bool hasBytes = std::ranges::count(definition.pieces, PieceKind::Byte, &Piece::kind) > 0;
  ProtoWriter trainer;
  trainer.number(3, definition.isUnigram ? 1 : 2);
  trainer.number(35, hasBytes ? 1 : 0);
  model.bytes(2, trainer.result());
  ProtoWriter normalizer;
  normalizer.bytes(2, definition.replacements);
  normalizer.number(3, definition.addSpacePrefix ? 1 : 0);
  normalizer.number(4, definition.removeExtraSpaces ? 1 : 0);
  normalizer.number(5, 1);
  model.bytes(3, normalizer.result());
  return model.result();
}

}  // namespace ulp::text
