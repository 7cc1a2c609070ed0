#include "core/compat/msit/comparison.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/base/text/ascii_lower.h"
#include "core/compat/msit/metrics.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::compat::msit {
namespace {

namespace fs = std::filesystem;
using dumps::msit::NodePair;
using dumps::msit::TokenFolder;
using tensors::Tensor;
using Files = std::vector<fs::path>;
using Loaded = std::vector<Tensor>;
using Shape = std::vector<std::int64_t>;

bool canJoin(const Tensor& one, const Tensor& other, std::size_t dimension) {
  Shape shape = other.view.shape;
  if (one.view.dtype != other.view.dtype || shape.size() != one.view.shape.size()) {
    return false;
  }
  shape[dimension] = one.view.shape[dimension];
  return shape == one.view.shape;
}

bool contains(const fs::path& path, std::string_view part) {
  return path.native().find(part) != std::string::npos;
}

bool isDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Output of `root.model.layers.N.self_attn.{projection}`.
bool isProjection(const fs::path& file, std::string_view projection) {
  constexpr std::string_view kStart = "root.model.layers.";
  const std::string module = file.parent_path().filename().string();
  const std::string end = fmt::format(".self_attn.{}", projection);
  return file.filename() == "output.pth" && module.starts_with(kStart) && module.ends_with(end) &&
         module.size() > kStart.size() + end.size() &&
         isDigits(std::string_view(module).substr(kStart.size(),
                                                  module.size() - kStart.size() - end.size()));
}

/// Of what ATB splits query, key and value into, the one that the projection gives.
Files withoutOtherProjections(const Files& golden, const Files& my, std::string_view folder) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOutputs{
      {{"q_proj", "outtensor0"}, {"k_proj", "outtensor1"}, {"v_proj", "outtensor2"}}};
  Files found;
  for (const fs::path& file : my) {
    const bool isMatch = std::ranges::any_of(kOutputs, [&](const auto& output) {
      const bool isOutput = contains(file, fmt::format("{}/after/{}.bin", folder, output.second));
      return isOutput && std::ranges::any_of(golden, [&](const fs::path& other) {
               return isProjection(other, output.first);
             });
    });
    if (isMatch) {
      found.push_back(file);
    }
  }
  return found.empty() ? my : found;
}

/// `output_0_1.pth` and the like are parts of nested outputs.
bool isNestedOutput(const fs::path& file) {
  const std::string name = file.filename().string();
  constexpr std::string_view kEnd = ".pth";
  const std::size_t start = name.rfind("output_");
  if (start == std::string::npos || !name.ends_with(kEnd)) {
    return false;
  }
  const std::string_view numbers =
      std::string_view(name).substr(start + 7, name.size() - start - 7 - kEnd.size());
  const std::size_t mark = numbers.find('_');
  return mark != std::string_view::npos && isDigits(numbers.substr(0, mark)) &&
         isDigits(numbers.substr(mark + 1));
}

/// Of the five inputs of a rotary embedding its cosines and sines; the last one is the length.
std::optional<std::int64_t> takeRotaryInputs(Files& my) {
  constexpr std::size_t kInputs = 5;
  const bool isRotary = std::ranges::any_of(my, [](const fs::path& file) {
    return contains(asciiLower(file.string()), "ropeoperation");
  });
  if (!isRotary || my.size() != kInputs) {
    return std::nullopt;
  }
  Files tables;
  fs::path lengthFile;
  for (const fs::path& file : my) {
    if (contains(file, "intensor4")) {
      lengthFile = file;
    } else if (contains(file, "intensor2") || contains(file, "intensor3")) {
      tables.push_back(file);
    }
  }
  if (lengthFile.empty()) {
    return std::nullopt;
  }
  my = tables.size() == 2 ? tables : my;
  const auto length = dumps::readTensorFile(lengthFile);
  const bool isOne = length && length->view.shape == std::vector<std::int64_t>{1};
  return isOne ? std::optional(static_cast<std::int64_t>(numerics::elementAt(length->view, 0)))
               : std::nullopt;
}

Result<Loaded> loadOfAllDevices(const Side& side, const fs::path& file) {
  Loaded loaded;
  for (const fs::path& one : ofAllDevices(side, file)) {
    auto tensor = ULP_TRY(dumps::readTensorFile(one));
    loaded.push_back(std::move(tensor));
  }
  if (loaded.empty()) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file", file.string()));
  }
  return loaded;
}

/// As one tensor, where the other side's is as large as all devices' together.
Result<Tensor> whole(const Loaded& own, const Loaded& other) {
  const std::optional<std::size_t> dimension = joinDimension(own, other);
  return dimension ? joined(own, *dimension) : own.front();
}

/// Tables of rotary embeddings are cut down to the row that ATB is given.
Result<> cutRotary(const FilePair& files,
                   const std::optional<std::int64_t>& length,
                   Loaded& golden,
                   Loaded& my) {
  if (!contains(files.golden, "rotary")) {
    return {};
  }
  const std::string name = files.my.filename().string();
  const bool isCosine = name.starts_with("intensor2");
  if (length && (isCosine || name.starts_with("intensor3"))) {
    auto row = ULP_TRY(rotaryRow(golden.front(), *length, isCosine ? 0 : 1));
    golden = {std::move(row)};
  }
  auto columns = ULP_TRY(withoutRepeatedColumns(my.front()));
  if (columns.view.shape != my.front().view.shape) {
    my = {std::move(columns)};
  }
  return {};
}

TensorSummary summary(const fs::path& file,
                      const numerics::TensorView& view,
                      const std::vector<float>& values) {
  TensorSummary made = summaryOf(view.dtype, view.shape, values);
  made.path = realPath(file);
  return made;
}

}  // namespace

std::optional<std::size_t> joinDimension(const std::vector<Tensor>& own,
                                         const std::vector<Tensor>& other) {
  const Shape& ownShape = own.front().view.shape;
  const Shape& otherShape = other.front().view.shape;
  const auto parts = [](std::int64_t size, const std::vector<Tensor>& tensors) {
    return static_cast<double>(size) * static_cast<double>(tensors.size());
  };
  for (std::size_t i = 0; i < std::min(ownShape.size(), otherShape.size()); ++i) {
    const double ownSize = parts(ownShape[i], own);
    const bool isSplitOtherwise =
        ownSize == parts(otherShape[i], other) && ownShape[i] != otherShape[i];
    if (isSplitOtherwise || ownSize == static_cast<double>(otherShape[i])) {
      return i;
    }
  }
  return std::nullopt;
}

Result<Tensor> joined(const std::vector<Tensor>& parts, std::size_t dimension) {
  const bool fits = std::ranges::all_of(
      parts, [&](const Tensor& part) { return canJoin(parts.front(), part, dimension); });
  if (!fits) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("tensors of {} devices do not fit together along dimension {}",
                            parts.size(),
                            dimension));
  }
  return parts.size() == 1 ? parts.front() : dumps::concatenated(parts, dimension);
}

Result<Tensor> selected(const Tensor& tensor, std::size_t dimension, std::size_t index) {
  auto part = ULP_TRY(dumps::sliced(tensor, dimension, {{static_cast<std::int64_t>(index), 1}}));
  part.view.shape.erase(part.view.shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return part;
}

Result<Tensor> rotaryRow(const Tensor& table, std::int64_t length, std::size_t half) {
  const Shape& shape = table.view.shape;
  const auto fits = [&](std::size_t dimension) { return length >= 1 && length < shape[dimension]; };
  const auto index = static_cast<std::size_t>(length - 1);
  if (shape.size() == 4 && (fits(2) || fits(1))) {
    Tensor row = ULP_TRY(selected(table, fits(2) ? 2 : 1, index));
    if (row.view.shape.front() == 1) {
      row.view.shape.erase(row.view.shape.begin());
    }
    return row;
  }
  if (shape.size() == 3 && fits(0) && static_cast<std::int64_t>(half) < shape[2]) {
    const Tensor pairs = ULP_TRY(selected(table, 0, index));
    Tensor row = ULP_TRY(selected(pairs, 1, half));
    row.view.shape.insert(row.view.shape.begin(), 1);
    return row;
  }
  return table;
}

Result<Tensor> withoutRepeatedColumns(const Tensor& tensor) {
  const Shape& shape = tensor.view.shape;
  if (shape.size() != 2 || shape[0] != 1 || shape[1] < 2 || shape[1] % 2 != 0) {
    return tensor;
  }
  const auto columns = static_cast<std::size_t>(shape[1]);
  for (std::size_t i = 0; i < columns; i += 2) {
    if (numerics::elementAt(tensor.view, i) != numerics::elementAt(tensor.view, i + 1)) {
      return tensor;
    }
  }
  Tensor pairs = tensor;
  pairs.view.shape = {shape[1] / 2, 2};
  Tensor row = ULP_TRY(selected(pairs, 1, 0));
  row.view.shape = {1, shape[1] / 2};
  return row;
}

Result<std::vector<TokenPair>> commonTokens(const Side& golden, const Side& my) {
  std::vector<TokenPair> pairs;
  for (const TokenFolder& one : my.process.tokens) {
    for (const TokenFolder& other : golden.process.tokens) {
      if (one.token == other.token) {
        pairs.push_back({.golden = &other, .my = &one});
      }
    }
  }
  if (pairs.empty() && golden.process.isOneToken && my.process.isOneToken) {
    for (const TokenFolder& other : golden.process.tokens) {
      for (const TokenFolder& one : my.process.tokens) {
        pairs.push_back({.golden = &other, .my = &one});
      }
    }
  }
  if (pairs.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} and {}: no token was recorded on both sides; name one folder of a "
                            "token on each side to compare them nevertheless",
                            golden.process.path.string(),
                            my.process.path.string()));
  }
  return pairs;
}

std::vector<FilePair> eachWithEach(const Files& golden, const Files& my) {
  std::vector<FilePair> pairs;
  for (const fs::path& goldenFile : golden) {
    for (const fs::path& myFile : my) {
      pairs.push_back({goldenFile, myFile});
    }
  }
  return pairs;
}

FilePairs filePairs(const Side& golden,
                    const Side& my,
                    const TokenPair& token,
                    const NodePair& nodes) {
  Files goldenFiles = filesOf(golden, *token.golden, nodes.golden, nodes.goldenPlace);
  Files myFiles = filesOf(my, *token.my, nodes.my, nodes.myPlace);
  for (const std::string_view folder :
       {"0_Attention/0_QKVLinearSplitPack", "0_Attention/0_QKVLinearSplitPack/1_SplitOperation"}) {
    myFiles = withoutOtherProjections(goldenFiles, myFiles, folder);
  }
  std::erase_if(goldenFiles, isNestedOutput);
  FilePairs result{.pairs = {}, .sequenceLength = takeRotaryInputs(myFiles)};
  if (goldenFiles.size() == myFiles.size()) {
    for (std::size_t i = 0; i < goldenFiles.size(); ++i) {
      result.pairs.push_back({goldenFiles[i], myFiles[i]});
    }
    return result;
  }
  result.pairs = eachWithEach(goldenFiles, myFiles);
  return result;
}

Result<ReportRow> ReportRun::compareFiles(const FilePair& files,
                                          const std::optional<std::int64_t>& sequenceLength) {
  Loaded my = ULP_TRY(loadOfAllDevices(m_my, files.my));
  Loaded golden = ULP_TRY(loadOfAllDevices(m_golden, files.golden));
  ULP_TRY(cutRotary(files, sequenceLength, golden, my));
  const Result<Tensor> myWhole = whole(my, golden);
  const Result<Tensor> goldenWhole = whole(golden, my);
  if (!myWhole || !goldenWhole) {
    const Error& problem = myWhole ? goldenWhole.error() : myWhole.error();
    return fail(problem.code(), fmt::format("{}: {}", files.my.string(), problem.message()));
  }
  const std::vector<float> goldenValues = asFloats(goldenWhole->view);
  const std::vector<float> myValues = asFloats(myWhole->view);
  for (const Tensor* tensor : {&*goldenWhole, &*myWhole}) {
    ULP_TRY(tensors::checkIntact(*tensor));
  }
  ReportRow row;
  row.golden = summary(files.golden, goldenWhole->view, goldenValues);
  row.my = summary(files.my, myWhole->view, myValues);
  compareInto(row, goldenValues, myValues);
  return row;
}

void ReportRun::compareNodes(const TokenPair& token,
                             const NodePair& nodes,
                             std::vector<ReportRow>& rows) {
  const FilePairs files = filePairs(m_golden, m_my, token, nodes);
  for (const FilePair& pair : files.pairs) {
    Result<ReportRow> row = compareFiles(pair, files.sequenceLength);
    if (!row) {
      m_failures.add(std::move(row.error()));
      continue;
    }
    row->token = tokenText(*token.my);
    row->id = m_nextId++;
    row->golden.operation = nodeOf(m_golden, nodes.golden).type;
    row->my.operation = nodeOf(m_my, nodes.my).type;
    rows.push_back(std::move(*row));
  }
}

Result<std::vector<ReportRow>> ReportRun::compare(const std::vector<NodePair>& pairs,
                                                  const std::stop_token& stop,
                                                  const dumps::Progress& progress) {
  std::vector<ReportRow> rows;
  ULP_TRY(eachPair(m_tokens, pairs, stop, progress, [&](const auto& token, const NodePair& nodes) {
    compareNodes(token, nodes, rows);
  }));
  return rows;
}

}  // namespace ulp::compat::msit
