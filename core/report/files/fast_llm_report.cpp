#include "core/report/files/fast_llm_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/model_limits.h"
#include "core/base/text/format_number.h"
#include "core/base/undefined.h"
#include "core/json/reader.h"
#include "core/report/files/report_json.h"

namespace ulp::report {
namespace {

constexpr std::string_view kReference = "reference";
constexpr std::size_t kBeginning = std::size_t{1} << 16;
/// Python writes NaN and Infinity as bare words, which JSON does not have.
constexpr json::ReaderOptions kAsPython{.hasNonFinite = true};

/// A number of a row, and the metric that it is. Those from bias_abs on have names of Fast-LLM's,
/// since no metric of ours means the same.
struct Field {
  std::string_view name;
  std::string_view metric;
};
constexpr std::array<Field, 12> kFields{{{"rms_abs", "rms_diff"},
                                         {"rms_rel", "rms_rel_regularized"},
                                         {"max_abs", "max_diff"},
                                         {"ref_scale", "ref_scale"},
                                         {"max_rel", "max_rel_regularized"},
                                         {"bias_abs", "bias_abs"},
                                         {"bias_rel", "bias_rel"},
                                         {"correlation", "correlation"},
                                         {"slope", "slope"},
                                         {"residual_rms_abs", "residual_rms_abs"},
                                         {"residual_rms_rel", "residual_rms_rel"},
                                         {"rms_rel_std", "rms_rel_std"}}};

/// Place in a row's metrics, the first of which is computed.
constexpr std::size_t columnOf(std::string_view field) {
  std::size_t column = 1;
  while (kFields.at(column - 1).name != field) {
    ++column;
  }
  return column;
}

/// "decoder.3" → 3; a number that no layer has is none.
std::optional<int> layerIn(std::string_view name) {
  constexpr std::string_view kLayer = "decoder.";
  if (!name.starts_with(kLayer)) {
    return std::nullopt;
  }
  name.remove_prefix(kLayer.size());
  int layer = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
  const bool isWhole = end == name.data() + name.size() || *end == '.';
  const bool isLayer = layer >= 0 && isLayerNumber(layer);
  return error == std::errc() && isWhole && isLayer ? std::optional(layer) : std::nullopt;
}

/// "decoder.3.norm_1" → "model.layers.3.norm_1": where it stands among the modules of a model.
std::string moduleOf(std::string_view name) {
  const auto layer = layerIn(name);
  if (!layer) {
    return std::string(name);
  }
  const std::size_t dot = name.find('.', std::string_view("decoder.").size());
  const std::string_view rest = dot == std::string_view::npos ? "" : name.substr(dot);
  return fmt::format("model.layers.{}{}", *layer, rest);
}

/// The row of a layer as reports call it: Fast-LLM's head gives the loss, and its backward row is
/// the gradient at the input of the final norm.
Site layerSite(std::string_view layer, Pass pass) {
  if (const auto number = layerIn(layer)) {
    return {std::string(layer), moduleOf(layer), *number, Level::Layer, pass};
  }
  if (layer == "embeddings") {
    return {"embeddings", "model.embed_tokens", -1, Level::Layer, pass};
  }
  if (layer == "head") {
    return pass == Pass::Forward ? Site{"loss", "loss", -1, Level::Layer, pass}
                                 : Site{"norm", "model.norm", -1, Level::Layer, pass};
  }
  return {std::string(layer), std::string(layer), -1, Level::Module, pass};
}

/// A tensor that was logged by name: "head.logits", "decoder.0.norm_1", "head.logits.grad".
Site loggedSite(std::string_view name) {
  constexpr std::string_view kGradient = ".grad";
  const Pass pass = name.ends_with(kGradient) ? Pass::Backward : Pass::Forward;
  if (pass == Pass::Backward) {
    name.remove_suffix(kGradient.size());
  }
  if (name == "head.logits") {
    return {"logits", "lm_head", -1, Level::Layer, pass};
  }
  return {std::string(name), moduleOf(name), layerIn(name).value_or(-1), Level::Module, pass};
}

Site gradientSite(std::string_view name) {
  const std::string_view module = name.substr(0, std::min(name.rfind('.'), name.size()));
  return {std::string(name),
          moduleOf(module),
          layerIn(name).value_or(-1),
          Level::Module,
          Pass::ParameterGradient};
}

/// "Global decoder.3 bw: decoder.2 output", "Global : head.logits", "Global gradient: ….weight"
Site siteOf(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  std::string_view where = name.substr(0, colon);
  std::string_view what = name.substr(std::min(colon + 1, name.size()));
  where.remove_prefix(std::min(where.find(' ') + 1, where.size()));
  what.remove_prefix(std::min(what.find_first_not_of(' '), what.size()));
  if (where == "gradient") {
    return gradientSite(what);
  }
  const std::size_t space = std::min(where.find(' '), where.size());
  const std::string_view pass = where.substr(space);
  if (!pass.starts_with(" fw") && !pass.starts_with(" bw")) {
    return loggedSite(what.empty() ? name : what);
  }
  Site site = layerSite(where.substr(0, space), pass[1] == 'f' ? Pass::Forward : Pass::Backward);
  // Micro-batches are rows of their own: "decoder.3 fw, mb=0/2".
  if (const std::size_t comma = pass.find(", "); comma != std::string_view::npos) {
    site.name += fmt::format(" ({})", pass.substr(comma + 2));
  }
  return site;
}

class FastLlmParser {
 public:
  FastLlmParser(std::string_view json, std::string_view origin) : m_json(json, origin, kAsPython) {
    m_report.metrics = {{"rms_rel"}};
    for (const Field& field : kFields) {
      m_report.metrics.push_back({std::string(field.metric)});
    }
  }

  Result<Report> parse() {
    m_report.reference = kReference;
    m_report.runs.push_back(finishedRun(kReference));
    m_json.readObject([&](std::string_view key) {
      if (key == "scales" && m_json.peek() == json::Reader::Token::BeginObject) {
        m_json.readObject(
            [&](std::string_view run) { m_scales.emplace(run, m_json.readNumber()); });
      } else if (key == "variants" && m_json.peek() == json::Reader::Token::BeginObject) {
        m_json.readObject([&](std::string_view run) { readRun(run); });
      } else if (m_json.peek() == json::Reader::Token::BeginArray) {
        readRun(key);
      } else {
        m_json.skipValue();
      }
    });
    ULP_TRY(m_json.finish());
    describe();
    return std::move(m_report);
  }

 private:
  void readRun(std::string_view name) {
    Run run = finishedRun(name);
    m_json.readArray([&] { run.comparisons.push_back(readRow()); });
    numberRepeated(run);
    m_report.runs.push_back(std::move(run));
  }

  Comparison readRow() {
    Comparison row;
    row.metrics.assign(m_report.metrics.size(), kUndefined);
    m_json.readObject([&](std::string_view key) {
      const auto* const field = std::ranges::find(kFields, key, &Field::name);
      if (field != kFields.end()) {
        row.metrics.at(static_cast<std::size_t>(field - kFields.begin()) + 1) = m_json.readNumber();
      } else if (key == "tensor_name") {
        row.site = siteOf(m_json.readString());
      } else if (key == "shape") {
        m_json.readArray([&] { row.shape.push_back(m_json.readInteger()); });
      } else if (key == "num_sequences") {
        m_sequences = std::max(m_sequences, m_json.readInteger());
      } else {
        m_json.skipValue();
      }
    });
    if (row.site.name.empty()) {
      m_json.fail(ErrorCode::CorruptData, "the field 'tensor_name' is missing");
    }
    const double difference = row.metrics[columnOf("rms_abs")];
    const double scale = row.metrics[columnOf("ref_scale")];
    row.metrics[0] = scale > 0 ? difference / scale : kUndefined;
    row.count = countOf(row.shape);
    row.compared = row.count;
    return row;
  }

  static std::uint64_t countOf(const std::vector<std::int64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape) {
      const auto wide = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 0));
      if (wide != 0 && count > std::numeric_limits<std::uint64_t>::max() / wide) {
        return 0;
      }
      count *= wide;
    }
    return count;
  }

  /// A report names a site once in a pass; the log of several steps does not.
  static void numberRepeated(Run& run) {
    std::map<std::pair<std::string, Pass>, std::size_t> seen;
    for (Comparison& row : run.comparisons) {
      const std::size_t before = seen[{row.site.name, row.site.pass}]++;
      if (before > 0) {
        row.site.name += fmt::format(" ({})", before + 1);
      }
    }
  }

  /// Drops metrics that this version of Fast-LLM did not write, and says what the file is.
  void describe() {
    std::vector<bool> isThere(m_report.metrics.size(), false);
    for (const Run& run : m_report.runs) {
      for (const Comparison& row : run.comparisons) {
        for (std::size_t i = 0; i < isThere.size(); ++i) {
          isThere[i] = isThere[i] || !std::isnan(row.metrics[i]);
        }
        m_report.model.layers = std::max(m_report.model.layers, row.site.layer + 1);
      }
    }
    for (std::size_t i = isThere.size(); i > 0; --i) {
      if (isThere[i - 1]) {
        continue;
      }
      const auto at = static_cast<std::ptrdiff_t>(i - 1);
      m_report.metrics.erase(m_report.metrics.begin() + at);
      for (Run& run : m_report.runs) {
        for (Comparison& row : run.comparisons) {
          row.metrics.erase(row.metrics.begin() + at);
        }
      }
    }
    const auto reference = m_scales.find(kReference);
    for (Run& run : m_report.runs) {
      const auto scale = m_scales.find(run.name);
      if (scale != m_scales.end() &&
          (reference == m_scales.end() || scale->second != reference->second)) {
        run.overrides["fast_llm.loss_scale"] = formatExact(scale->second);
      }
    }
    m_report.model.family = "Fast-LLM";
    m_report.model.name = "Fast-LLM evaluate_precision";
    m_report.provenance.sequences = static_cast<std::uint64_t>(m_sequences);
  }

  json::Reader m_json;
  Report m_report;
  std::map<std::string, double, std::less<>> m_scales;
  std::int64_t m_sequences = 0;
};

/// Reads an object and says whether it has the fields of every row.
bool readsAsRow(json::Reader& json) {
  if (json.peek() != json::Reader::Token::BeginObject) {
    json.skipValue();
    return false;
  }
  int known = 0;
  json.readObject([&](std::string_view field) {
    known += field == "tensor_name" || field == "rms_rel" || field == "kind" ? 1 : 0;
    json.skipValue();
  });
  return known == 3;
}

/// Whether a list begins with a row, which is read to its end.
bool readsAsRows(json::Reader& json) {
  bool isRows = false;
  bool isFirst = true;
  json.readArray([&] {
    if (std::exchange(isFirst, false)) {
      isRows = readsAsRow(json);
    } else {
      json.skipValue();
    }
  });
  return isRows;
}

}  // namespace

bool isFastLlmReport(std::string_view text) {
  // A row says it in its first fields, and the first row stands at the beginning.
  json::Reader json(text.substr(0, kBeginning), "", kAsPython);
  bool hasRows = false;
  const auto look = [&] {
    if (json.peek() == json::Reader::Token::BeginArray) {
      hasRows = readsAsRows(json) || hasRows;
    } else {
      json.skipValue();
    }
  };
  if (json.peek() != json::Reader::Token::BeginObject) {
    return false;
  }
  json.readObject([&](std::string_view key) {
    if (key == "variants" && json.peek() == json::Reader::Token::BeginObject) {
      json.readObject([&](std::string_view) { look(); });
    } else {
      look();
    }
  });
  return hasRows;
}

Result<Report> parseFastLlmReport(std::string_view json, std::string_view origin) {
  return FastLlmParser(json, origin).parse();
}

}  // namespace ulp::report
