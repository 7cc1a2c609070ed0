#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/compat/comparator.h"
#include "core/compat/msit/metrics.h"
#include "core/compat/msit/torch_sum.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/report/tables/data_table.h"

namespace ulp::compat {

namespace {

namespace fs = std::filesystem;

constexpr double kLeastCosine = 0.999;
constexpr double kMostKl = 0.0001;
constexpr double kMostL1 = 0.01;
constexpr std::string_view kMissing = "NA";

/// Distance of neighbouring numbers of a format, relative to the power of two below.
constexpr std::array<std::pair<std::string_view, float>, 3> kUnits{
    {{"fp16", 0x1p-10F}, {"bf16", 0x1p-7F}, {"fp32", 0x1p-23F}}};

/// Numbers first, then languages, then what has no key.
using RowOrder = std::tuple<int, std::string, std::int64_t, std::int64_t>;

/// Which sample and token a file is of, by its name.
struct FileKey {
  std::string text{};  ///< "1352"; a language and the number behind it as it is spelled: "cpp/12"
  std::int64_t token = 0;
  RowOrder order{};  ///< of the row; unset where there is a problem
  std::string problem{};
};

/// HumanEval-X: the last language in the name, and the last two numbers.
FileKey languageKey(const std::vector<std::string_view>& parts, std::string_view language) {
  std::vector<std::string_view> numbers;
  for (auto part = parts.rbegin(); part != parts.rend() && numbers.size() < 2; ++part) {
    if (const auto number = parseNumber<std::int64_t>(*part); number && *number >= 0) {
      numbers.push_back(*part);
    }
  }
  if (numbers.size() < 2) {
    return {.problem = fmt::format("missing_digits_after_{}", language)};
  }
  const auto token = *parseNumber<std::int64_t>(numbers[0]);
  return {.text = fmt::format("{}/{}", language, numbers[1]),
          .token = token,
          .order = {1, std::string(language), *parseNumber<std::int64_t>(numbers[1]), token}};
}

FileKey keyOf(const std::string& file) {
  constexpr std::array<std::string_view, 5> kLanguages{"cpp", "go", "java", "js", "python"};
  const std::vector<std::string_view> parts =
      split(std::string_view(file).substr(0, file.rfind('.')), '_');
  const auto language =
      std::find_first_of(parts.rbegin(), parts.rend(), kLanguages.begin(), kLanguages.end());
  if (language != parts.rend()) {
    return languageKey(parts, *language);
  }
  if (parts.size() < 2) {
    return {.problem = "invalid logits file name"};
  }
  const std::string_view keyPart = parts[parts.size() - 2];
  const auto key = parseNumber<std::int64_t>(keyPart);
  const auto token = parseNumber<std::int64_t>(parts.back());
  if (!key || !token) {
    return {.problem = fmt::format("invalid_format_{}_{}", keyPart, parts.back())};
  }
  return {.text = std::to_string(*key), .token = *token, .order = {0, "", *key, *token}};
}

/// A line of the table and where it stands.
struct Row {
  std::vector<std::string> fields;
  RowOrder order{};
};

Row rowWithout(const std::string& file, const std::string& reason) {
  Row row{.fields = std::vector<std::string>(10, std::string(kMissing)),
          .order = {2, "", std::numeric_limits<std::int64_t>::max(), 0}};
  row.fields.front() = file;
  row.fields.back() = reason;
  return row;
}

Row rowOf(const std::string& file, const FileKey& key) {
  Row row = rowWithout(file, "");
  row.fields[1] = key.text;
  row.fields[2] = std::to_string(key.token);
  row.order = key.order;
  return row;
}

/// A vector of logits; a leading dimension of 1 is no dimension.
struct Logits {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  DType dtype = DType::Float32;
};

Result<Logits> readLogits(const fs::path& file) {
  const tensors::Tensor read = ULP_TRY(dumps::readTensorFile(file));
  const numerics::TensorView& view = read.view;
  Logits logits{.shape = view.shape, .values = msit::asFloats(view), .dtype = view.dtype};
  ULP_TRY(tensors::checkIntact(read));
  if (!logits.shape.empty() && logits.shape.front() == 1) {
    logits.shape.erase(logits.shape.begin());
  }
  return logits;
}

/// Sum of sizes of `my` over that of `golden`, less 1; two that are all zero agree.
std::pair<double, std::string> l1Norm(const Logits& golden, const Logits& my) {
  const auto size = [](const Logits& logits) {
    return msit::torchSum<double>(logits.values.size(), [&](std::size_t i) {
      return std::abs(static_cast<double>(logits.values[i]));
    });
  };
  const double goldenSize = size(golden);
  const double mySize = size(my);
  if (goldenSize == 0) {
    return mySize == 0 ? std::pair(0.0, std::string("0")) : std::pair(1.0, std::string("1"));
  }
  const double norm = mySize / goldenSize - 1;
  return {norm, dumps::msprobe::pythonFloat(norm)};
}

msit::KlPrecision precisionOf(DType dtype) {
  return dtype == DType::Float16    ? msit::KlPrecision::Float16
         : dtype == DType::BFloat16 ? msit::KlPrecision::BFloat16
                                    : msit::KlPrecision::Float32;
}

Row compareLogitsFiles(const std::string& file,
                       const FileKey& key,
                       const Logits& golden,
                       const Logits& my,
                       float unit) {
  Row row = rowOf(file, key);
  row.fields.back() = msit::reasonAgainst(golden.values, my.values, golden.shape == my.shape);
  if (!row.fields.back().empty() || golden.values.empty()) {
    return row;
  }
  const float goldenMax = *std::ranges::max_element(golden.values);
  const float myMax = *std::ranges::max_element(my.values);
  if (myMax == 0) {
    row.fields.back() = "max value is 0, cannot compute ulp";
    return row;
  }
  const double cosine = msit::cosineSimilarity(golden.values, my.values);
  const std::optional<float> kl =
      msit::klDivergence(golden.values, my.values, precisionOf(golden.dtype));
  const auto [l1, l1Text] = l1Norm(golden, my);
  const float difference = std::abs(goldenMax - myMax);
  const float ulp = std::exp2(std::floor(std::log2(myMax))) * unit;
  const bool isPassed =
      (cosine > kLeastCosine && kl.value_or(0.0F) < kMostKl && l1 < kMostL1) || difference <= ulp;
  row.fields = {file,
                row.fields[1],
                row.fields[2],
                dumps::msprobe::pythonFloat(cosine),
                kl ? dumps::msprobe::pythonFloat(static_cast<double>(*kl)) : "0",
                l1Text,
                dumps::msprobe::pythonFloat(static_cast<double>(difference)),
                dumps::msprobe::pythonFloat(static_cast<double>(ulp)),
                isPassed ? "True" : "False",
                ""};
  return row;
}

std::vector<std::string> logitsFiles(const fs::path& folder) {
  std::vector<std::string> names = dumps::folderNames(folder);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".pth"); });
  return names;
}

Result<float> unitOf(const CompareRequest& request) {
  const std::string_view wanted = request.level.empty() ? "fp16" : std::string_view(request.level);
  const auto* const known =
      std::ranges::find(kUnits, wanted, &std::pair<std::string_view, float>::first);
  if (known != kUnits.end()) {
    return known->second;
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("format '{}': logitscmp knows fp16, bf16 and fp32", request.level));
}

/// Both folders, and the distance of numbers that counts as equal.
struct Folders {
  std::vector<std::string> golden;
  std::vector<std::string> my;
  float unit = 0;
};

Result<Folders> foldersOf(const CompareRequest& request) {
  const float unit = ULP_TRY(unitOf(request));
  for (const fs::path& folder : {request.golden, request.target}) {
    if (!dumps::isFolder(folder)) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: no folder; give the one with the .pth files of logits",
                              folder.string()));
    }
  }
  return Folders{
      .golden = logitsFiles(request.golden), .my = logitsFiles(request.target), .unit = unit};
}

/// Rows of the files that both folders have. A file that cannot be read becomes a failure; where
/// there is nothing else, they are the error.
Result<std::vector<Row>> commonRows(const CompareRequest& request,
                                    const Folders& folders,
                                    std::vector<Error>& failures,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  std::vector<std::string> common;
  std::set_intersection(folders.golden.begin(),
                        folders.golden.end(),
                        folders.my.begin(),
                        folders.my.end(),
                        std::back_inserter(common));
  if (common.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} and {}: no .pth file has the same name in both",
                            request.golden.string(),
                            request.target.string()));
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < common.size(); ++i) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "comparison cancelled");
    }
    const FileKey key = keyOf(common[i]);
    if (!key.problem.empty()) {
      rows.push_back(rowWithout(common[i], "parse_error:" + key.problem));
      continue;
    }
    const Result<Logits> golden = readLogits(request.golden / common[i]);
    const Result<Logits> my = readLogits(request.target / common[i]);
    if (golden && my) {
      rows.push_back(compareLogitsFiles(common[i], key, *golden, *my, folders.unit));
    } else {
      failures.push_back(golden ? my.error() : golden.error());
    }
    if (progress) {
      progress(i + 1, common.size());
    }
  }
  if (rows.empty()) {
    return tl::unexpected<Error>(asOneError(failures));
  }
  return rows;
}

void addOneSided(std::vector<Row>& rows, const Folders& folders) {
  const auto add = [&](const std::vector<std::string>& own,
                       const std::vector<std::string>& other,
                       const std::string& reason) {
    std::vector<std::string> only;
    std::set_difference(
        own.begin(), own.end(), other.begin(), other.end(), std::back_inserter(only));
    for (const std::string& file : only) {
      rows.push_back(rowWithout(file, reason));
    }
  };
  add(folders.golden, folders.my, "only_in_golden_path");
  add(folders.my, folders.golden, "only_in_my_path");
}

Result<CompareOutcome> compareLogits(const CompareRequest& request,
                                     const std::stop_token& stop,
                                     const dumps::Progress& progress) {
  const Folders folders = ULP_TRY(foldersOf(request));
  CompareOutcome outcome;
  std::vector<Row> rows = ULP_TRY(commonRows(request, folders, outcome.failures, stop, progress));
  addOneSided(rows, folders);
  std::ranges::stable_sort(rows, {}, &Row::order);
  std::string text =
      "file_name,key,token_id,cosine_similarity,kl_divergence,l1_norm,ulp_max_diff,ulp,passed,"
      "cmp_fail_reason\r\n";
  for (const Row& row : rows) {
    text += report::csvLine(row.fields) + "\r\n";
  }
  const std::string name = "logits_cmp_res_" + timestampOf(request, std::chrono::hours(8)) + ".csv";
  ULP_TRY(writeResult(request.output / name, text, outcome));
  return outcome;
}

}  // namespace

void registerMsitLogitscmp(ComparatorRegistry& registry) {
  registry.add({"msit-logitscmp",
                "msit llm logitscmp 8.2",
                {{CompareOption::Level,
                  "-d",
                  listOf(kUnits, [](const auto& unit) { return std::string(unit.first); })}},
                compareLogits});
}

}  // namespace ulp::compat
