#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/study/fast_llm/fast_llm_study.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

constexpr std::string_view kPrefix = "model.base_model.head.losses.";
/// Fast-LLM's name, ours.
using LossType = std::pair<std::string_view, std::string_view>;
constexpr std::array<LossType, 4> kLossTypes{{
    {"label", "cross_entropy"},
    {"z_loss", "z_loss"},
    {"grpo", "grpo"},
    {"gspo", "gspo"},
}};

/// A loss's fields, but its logits' scale, as loss.terms names them.
struct Loss {
  /// Fast-LLM's default where the loss names none.
  YamlNode::Entry type{"type", {}, scalarNode(kLossTypes.front().second)};
  std::vector<YamlNode::Entry> numbers;
};

class LossReader {
 public:
  FastLlmTranslation read(const std::vector<YamlNode::Entry>& fields) {
    for (const YamlNode::Entry& field : fields) {
      readField(field);
    }
    emitTerms();
    emitScale();
    return std::move(m_result);
  }

 private:
  void addProblem(const YamlNode::Entry& field, std::string_view what) {
    m_result.problems.push_back(
        {field.value.position,
         fmt::format("'{}' {}, not '{}'", field.key, what, field.value.text)});
  }

  void readField(const YamlNode::Entry& field) {
    if (!field.key.starts_with(kPrefix)) {
      readScale(field, "");
      return;
    }
    const std::string_view rest = std::string_view(field.key).substr(kPrefix.size());
    const std::size_t dot = rest.rfind('.');
    const std::string name(rest.substr(0, dot));
    const std::string_view what = rest.substr(dot + 1);
    Loss& loss = m_losses[name];
    if (what == "type") {
      readType(field, loss);
    } else if (what == "logits_scale_factor") {
      readScale(field, name);
    } else if (!parseNumber<double>(field.value.text)) {
      addProblem(field, "must be a number");
    } else if (what != "weight" || parseNumber<double>(field.value.text) != 1.0) {
      loss.numbers.push_back({std::string(what), field.value.position, field.value});
    }
  }

  void readType(const YamlNode::Entry& field, Loss& loss) {
    const auto* const type = std::ranges::find(kLossTypes, field.value.text, &LossType::first);
    if (type == kLossTypes.end()) {
      addProblem(field, "must be label, z_loss, grpo or gspo");
      return;
    }
    YamlNode value = field.value;
    value.text = type->second;
    loss.type = {"type", field.value.position, std::move(value)};
  }

  void readScale(const YamlNode::Entry& field, const std::string& loss) {
    if (const auto scale = parseNumber<double>(field.value.text)) {
      m_scales[loss] = *scale;
      m_scalePosition = field.value.position;
    } else {
      addProblem(field, "must be a number");
    }
  }

  void emitTerms() {
    const bool single = m_losses.size() == 1 && !hasWeight(m_losses.begin()->second);
    if (single) {
      Loss& loss = m_losses.begin()->second;
      m_result.study.entries.push_back({"loss.type", loss.type.position, loss.type.value});
      for (YamlNode::Entry& number : loss.numbers) {
        m_result.study.entries.push_back({"loss." + number.key, number.position, number.value});
      }
    } else if (!m_losses.empty()) {
      emitList();
    }
  }

  static bool hasWeight(const Loss& loss) {
    return std::ranges::find(loss.numbers, "weight", &YamlNode::Entry::key) != loss.numbers.end();
  }

  void emitList() {
    YamlNode list{.kind = YamlNode::Kind::List};
    for (const auto& [name, loss] : m_losses) {
      YamlNode term{.kind = YamlNode::Kind::Map, .position = loss.type.position};
      term.entries.push_back(loss.type);
      term.entries.insert(term.entries.end(), loss.numbers.begin(), loss.numbers.end());
      list.position = loss.type.position;
      list.items.push_back(std::move(term));
    }
    m_result.study.entries.push_back({"loss.terms", list.position, std::move(list)});
  }

  /// The scale of all logits times that of the losses, which has to be the same for all of them.
  void emitScale() {
    const auto common = m_scales.find("");
    double scale = common == m_scales.end() ? 1 : common->second;
    std::optional<double> own;
    for (const auto& [name, loss] : m_losses) {
      const auto found = m_scales.find(name);
      const double wanted = found == m_scales.end() ? 1 : found->second;
      if (own && *own != wanted) {
        m_result.problems.push_back(
            {m_scalePosition,
             fmt::format("'{}{}.logits_scale_factor': all losses must share one scale of the "
                         "logits",
                         kPrefix,
                         name)});
        return;
      }
      own = wanted;
    }
    scale *= own.value_or(1);
    if (scale != 1) {
      m_result.study.entries.push_back({"loss.logits_scale",
                                        m_scalePosition,
                                        scalarNode(fmt::format("{}", scale), m_scalePosition)});
    }
  }

  FastLlmTranslation m_result{.study = mapNode()};
  std::map<std::string, Loss> m_losses;
  std::map<std::string, double> m_scales;  ///< by loss; "" of all
  SourcePosition m_scalePosition;
};

}  // namespace

FastLlmTranslation translateLosses(const std::vector<YamlNode::Entry>& fields) {
  return LossReader().read(fields);
}

}  // namespace ulp::study
