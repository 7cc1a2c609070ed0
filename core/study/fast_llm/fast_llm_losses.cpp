#include "core/study/fast_llm/fast_llm_losses.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/study/yaml/number_text.h"

namespace ulp::study {
namespace {

constexpr std::string_view kPrefix = "model.base_model.head.losses.";
/// Of a loss that names none.
constexpr std::string_view kDefaultType = "label";
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLossTypes{{
    {"label", "cross_entropy"},
    {"z_loss", "z_loss"},
    {"grpo", "grpo"},
    {"gspo", "gspo"},
}};

/// A loss's fields, but its logits' scale, as loss.terms names them.
struct Loss {
  YamlNode::Entry type;
  std::vector<YamlNode::Entry> numbers;
};

class LossReader {
 public:
  FastLlmLosses read(const std::vector<FastLlmLossField>& fields) {
    for (const FastLlmLossField& field : fields) {
      readField(field);
    }
    emitTerms();
    emitScale();
    return std::move(m_result);
  }

 private:
  void addProblem(const FastLlmLossField& field, std::string_view what) {
    m_result.problems.push_back(
        {field.value.position,
         fmt::format("'{}' {}, not '{}'", field.path, what, field.value.text)});
  }

  void readField(const FastLlmLossField& field) {
    if (!field.path.starts_with(kPrefix)) {
      readScale(field, "");
      return;
    }
    const std::string_view rest = std::string_view(field.path).substr(kPrefix.size());
    const std::size_t dot = rest.rfind('.');
    const std::string name(rest.substr(0, dot));
    const std::string_view what = rest.substr(dot + 1);
    Loss& loss = m_losses[name];
    if (what == "type") {
      readType(field, loss);
    } else if (what == "logits_scale_factor") {
      readScale(field, name);
    } else if (!numberIn<double>(field.value.text)) {
      addProblem(field, "must be a number");
    } else if (what != "weight" || numberIn<double>(field.value.text) != 1.0) {
      loss.numbers.push_back({std::string(what), field.value.position, field.value});
    }
  }

  void readType(const FastLlmLossField& field, Loss& loss) {
    for (const auto& [theirs, ours] : kLossTypes) {
      if (field.value.text == theirs) {
        YamlNode value = field.value;
        value.text = ours;
        loss.type = {"type", field.value.position, std::move(value)};
        return;
      }
    }
    addProblem(field, "must be label, z_loss, grpo or gspo");
  }

  void readScale(const FastLlmLossField& field, const std::string& loss) {
    if (const auto scale = numberIn<double>(field.value.text)) {
      m_scales[loss] = *scale;
      m_scalePosition = field.value.position;
    } else {
      addProblem(field, "must be a number");
    }
  }

  void emitTerms() {
    for (auto& [name, loss] : m_losses) {
      if (loss.type.key.empty()) {
        YamlNode value{.kind = YamlNode::Kind::Scalar, .text = std::string(typeOf(kDefaultType))};
        loss.type = {"type", {}, std::move(value)};
      }
    }
    const bool single = m_losses.size() == 1 && !hasWeight(m_losses.begin()->second);
    if (single) {
      Loss& loss = m_losses.begin()->second;
      m_result.settings.push_back({"loss.type", loss.type.position, loss.type.value});
      for (YamlNode::Entry& number : loss.numbers) {
        m_result.settings.push_back({"loss." + number.key, number.position, number.value});
      }
    } else if (!m_losses.empty()) {
      emitList();
    }
  }

  static std::string_view typeOf(std::string_view theirs) {
    for (const auto& [known, ours] : kLossTypes) {
      if (known == theirs) {
        return ours;
      }
    }
    return {};
  }

  static bool hasWeight(const Loss& loss) {
    return std::ranges::any_of(
        loss.numbers, [](const YamlNode::Entry& number) { return number.key == "weight"; });
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
    m_result.settings.push_back({"loss.terms", list.position, std::move(list)});
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
      YamlNode value{.kind = YamlNode::Kind::Scalar,
                     .text = fmt::format("{}", scale),
                     .position = m_scalePosition};
      m_result.settings.push_back({"loss.logits_scale", m_scalePosition, std::move(value)});
    }
  }

  FastLlmLosses m_result;
  std::map<std::string, Loss> m_losses;
  std::map<std::string, double> m_scales;  ///< by loss; "" of all
  SourcePosition m_scalePosition;
};

}  // namespace

FastLlmLosses translateLosses(const std::vector<FastLlmLossField>& fields) {
  return LossReader().read(fields);
}

}  // namespace ulp::study
