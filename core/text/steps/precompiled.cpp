#include "core/base/text/utf8.h"
#include "core/text/steps/normalizer.h"
#include "core/text/steps/replacement_table.h"

namespace ulp::text {
namespace {

class Precompiled {
 public:
  explicit Precompiled(ReplacementTable table) : m_table(std::move(table)) {}

  [[nodiscard]] Result<AlignedText> operator()(const AlignedText& text) const {
    const auto ends = ULP_TRY(graphemeEnds(text.text()));
    AlignedWriter writer(text);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      applyToGrapheme(text.text(), begin, end, writer);
      begin = end;
    }
    return writer.take();
  }

 private:
  /// Longer clusters are not looked up as a whole.
  static constexpr std::size_t kLongestCluster = 5;

  void applyToGrapheme(std::string_view text,
                       std::size_t begin,
                       std::size_t end,
                       AlignedWriter& writer) const {
    if (end - begin <= kLongestCluster) {
      if (const auto with = m_table.find(text.substr(begin, end - begin))) {
        writer.put(*with, begin, end);
        return;
      }
    }
    for (std::size_t at = begin; at < end;) {
      const std::size_t next = at + codePointAt(text, at).size;
      if (const auto with = m_table.find(text.substr(at, next - at))) {
        writer.put(*with, at, next);
      } else {
        writer.keep(at, next);
      }
      at = next;
    }
  }

  ReplacementTable m_table;
};

}  // namespace

Result<Normalizer> makePrecompiled(std::string_view table) {
  return Normalizer(Precompiled(ULP_TRY(ReplacementTable::parse(table))));
}

}  // namespace ulp::text
