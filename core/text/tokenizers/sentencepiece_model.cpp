#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "core/text/steps/replacement_table.h"
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

/// Reads the wire format of protocol buffers, field by field.
class ProtoReader {
 public:
  struct Field {
    std::uint64_t number = 0;
    std::string_view bytes;  ///< of a field that holds bytes; of others empty
  };

  explicit ProtoReader(std::string_view bytes) : m_rest(bytes) {}

  [[nodiscard]] bool isAtEnd() const { return m_rest.empty(); }
  /// Errors: CorruptData, also for groups, which no model has.
  [[nodiscard]] Result<Field> next() {
    const std::uint64_t tag = ULP_TRY(varint());
    Field field{.number = tag >> 3U, .bytes = {}};
    switch (tag & 7U) {
      case 0:
        ULP_TRY(varint());
        return field;
      case 1:
        ULP_TRY(take(8));
        return field;
      case 2:
        field.bytes = ULP_TRY(take(ULP_TRY(varint())));
        return field;
      case 5:
        ULP_TRY(take(4));
        return field;
      default:
        return fail(ErrorCode::CorruptData, "no protocol buffer of sentencepiece");
    }
  }

 private:
  [[nodiscard]] Result<std::string_view> take(std::uint64_t size) {
    if (size > m_rest.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("cut short: {} bytes of a field, {} are there", size, m_rest.size()));
    }
    const std::string_view taken = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return taken;
  }
  [[nodiscard]] Result<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(ULP_TRY(take(1)).front());
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) {
        return value;
      }
    }
    return fail(ErrorCode::CorruptData, "a number of more than 64 bits");
  }

  std::string_view m_rest;
};

/// Calls `onField` with each field of a message.
template <class OnField>
Result<> eachField(std::string_view message, const OnField& onField) {
  ProtoReader reader(message);
  while (!reader.isAtEnd()) {
    ULP_TRY(onField(ULP_TRY(reader.next())));
  }
  return {};
}

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

Result<> checkSentencePieceModel(std::string_view model) {
  return eachField(model, [](const ProtoReader::Field& field) -> Result<> {
    const bool isNormalizer = field.number == 3 || field.number == 5;
    return !isNormalizer ? Result<>()
                         : eachField(field.bytes, [](const ProtoReader::Field& part) -> Result<> {
                             if (part.number == 2 && !part.bytes.empty()) {
                               ULP_TRY(ReplacementTable::parse(part.bytes));
                             }
                             return {};
                           });
  });
}

}  // namespace ulp::text
