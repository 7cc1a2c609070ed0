#include "core/remote/captures/remote_tensor.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <span>

#include "core/base/stop_pace.h"
#include "core/base/text/fnv_hash.h"
#include "core/base/work_meter.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::remote {
namespace {

using tensors::ElementGrid;

constexpr std::uint64_t kBlock = TileFile::kBlock;
/// What is read on where one reads through.
constexpr std::uint64_t kMostAhead = kTile / kBlock;
constexpr std::size_t kMostPieces = 4096;
constexpr std::size_t kMostPicked = 4;
constexpr std::uint64_t kMostPickedBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kSweptEvery = std::uint64_t{64} << 20;

/// Those that are open, by name, so that two views of one tensor fetch it once.
struct Shared {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<RemoteTensor>> tensors;
};
Shared& allShared() {
  static Shared shared;
  return shared;
}

/// Calls `visit(first block, end)` for each row of a grid, or each of its elements where these lie
/// far from each other; ends when it says false.
template <class Visit>
bool visitBlocks(const ElementGrid& grid,
                 std::uint64_t count,
                 std::uint64_t itemSize,
                 const Visit& visit) {
  const bool isDense = static_cast<std::uint64_t>(std::abs(grid.columnStep)) * itemSize <= kBlock;
  const auto visitSpan = [&](std::int64_t a, std::int64_t b) {
    const auto low = std::max<std::int64_t>(0, std::min(a, b));
    const auto high = std::min(static_cast<std::int64_t>(count) - 1, std::max(a, b));
    return high < low ||
           visit(static_cast<std::uint64_t>(low) * itemSize / kBlock,
                 (static_cast<std::uint64_t>(high) * itemSize + itemSize - 1) / kBlock + 1);
  };
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    const std::int64_t first = grid.first + row * grid.rowStep;
    if (isDense) {
      if (!visitSpan(first, first + (grid.columns - 1) * grid.columnStep)) {
        return false;
      }
      continue;
    }
    for (std::int64_t column = 0; column < grid.columns; ++column) {
      const std::int64_t at = first + column * grid.columnStep;
      if (!visitSpan(at, at)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

RemoteTensor::RemoteTensor(TensorAddress address, DType dtype, std::vector<std::int64_t> shape)
    : m_address(std::move(address)), m_dtype(dtype), m_shape(std::move(shape)) {}

Result<std::shared_ptr<RemoteTensor>> RemoteTensor::open(TensorAddress address,
                                                         const std::string& name,
                                                         DType dtype,
                                                         std::vector<std::int64_t> shape) {
  const auto count = tensors::checkedCount(shape);
  if (!count || *count > UINT64_MAX / 2 / itemSize(dtype)) {
    return fail(ErrorCode::CorruptData, address.place + ": a tensor has an impossible shape");
  }
  Shared& shared = allShared();
  const std::scoped_lock lock(shared.mutex);
  if (auto known = shared.tensors[name].lock()) {
    const std::scoped_lock telling(known->m_telling);
    known->m_problem.reset();  // another try
    return known;
  }
  std::shared_ptr<RemoteTensor> made(new RemoteTensor(std::move(address), dtype, std::move(shape)));
  made->m_count = *count;
  made->m_cache = ULP_TRY(hostCacheFolder()) / ".tensors";
  const std::filesystem::path file =
      made->m_cache / fmt::format("{:016x}{:016x}.tensor", fnvHash(name), fnvHash(name + "/2"));
  made->m_file = ULP_TRY(TileFile::open(file, *count * itemSize(dtype)));
  std::erase_if(shared.tensors, [](const auto& each) { return each.second.expired(); });
  shared.tensors[name] = made;
  return made;
}

Result<tensors::Tensor> RemoteTensor::shown() const {
  return tensors::tensorAt(tensors::byteSourceOf(m_file->mapping()), 0, m_dtype, m_shape);
}

Result<tensors::Tensor> RemoteTensor::look(std::shared_ptr<RemoteTensor> tensor) {
  if (tensor->m_file->isWhole()) {
    // All came before: it only has to be checked.
    ULP_TRY(tensor->bring({.columns = static_cast<std::int64_t>(tensor->m_count)}));
  }
  tensors::Tensor shown = ULP_TRY(tensor->shown());
  shown.owner = tensor;
  shown.parts = std::move(tensor);
  return shown;
}

Result<tensors::Tensor> RemoteTensor::read(std::shared_ptr<RemoteTensor> tensor) {
  ULP_TRY(tensor->bring({.columns = static_cast<std::int64_t>(tensor->m_count)}));
  tensors::Tensor shown = ULP_TRY(tensor->shown());
  shown.owner = std::move(tensor);
  return shown;
}

bool RemoteTensor::has(const ElementGrid& wanted) const {
  return visitBlocks(
      wanted, m_count, itemSize(m_dtype), [this](std::uint64_t block, std::uint64_t end) {
        while (block < end && m_file->has(block)) {
          ++block;
        }
        return block == end;
      });
}

RemoteTensor::Blocks RemoteTensor::missing(const ElementGrid& wanted) const {
  Blocks blocks;
  visitBlocks(wanted, m_count, itemSize(m_dtype), [&](std::uint64_t block, std::uint64_t end) {
    for (; block < end; ++block) {
      if (!m_file->has(block) && (blocks.empty() || blocks.back() != block)) {
        blocks.push_back(block);
      }
    }
    return true;
  });
  std::ranges::sort(blocks);
  const auto twice = std::ranges::unique(blocks);
  blocks.erase(twice.begin(), twice.end());
  return blocks;
}

std::uint64_t RemoteTensor::missingBytes(const ElementGrid& wanted) const {
  return missing(wanted).size() * kBlock;
}

void RemoteTensor::readOn(Blocks& blocks) const {
  // As far as what is here already reaches back: who reads through asks for more each time.
  std::uint64_t before = 0;
  while (before < kMostAhead && before < blocks.front() &&
         m_file->has(blocks.front() - 1 - before)) {
    ++before;
  }
  for (std::uint64_t next = blocks.back() + 1;
       before > 0 && blocks.size() < kMostAhead && next < m_file->blocks() && !m_file->has(next);
       ++next, --before) {
    blocks.push_back(next);
  }
}

Result<> RemoteTensor::bring(const ElementGrid& wanted) const {
  if (has(wanted)) {
    return {};
  }
  const std::scoped_lock lock(m_fetching);
  Blocks blocks = missing(wanted);
  std::erase_if(blocks, [this](std::uint64_t block) { return m_file->takeUp(block); });
  if (blocks.empty()) {
    return {};
  }
  if (wanted.rows == 1) {
    readOn(blocks);
  }
  auto fetched = fetch(blocks);
  return fetched ? Result<>() : Result<>(noted(std::move(fetched.error())));
}

Result<> RemoteTensor::fetch(const Blocks& blocks) const {
  WorkMeter& meter = MeterScope::current();
  meter.expect(blocks.size() * kBlock);
  std::vector<std::int64_t> pieces;  // offset and size, one behind the other
  std::uint64_t size = 0;
  for (std::size_t i = 0; i <= blocks.size(); ++i) {
    const bool isLast = i == blocks.size();
    if (size > 0 && (isLast || size + kBlock > kTile || pieces.size() >= 2 * kMostPieces)) {
      ULP_TRY(fetchPieces(pieces, size));
      meter.advance(size);
      pieces.clear();
      size = 0;
    }
    if (isLast) {
      break;
    }
    const std::uint64_t begin = blocks[i] * kBlock;
    const std::uint64_t bytes = std::min(kBlock, m_file->size() - begin);
    const bool isNext = !pieces.empty() && static_cast<std::uint64_t>(pieces[pieces.size() - 2] +
                                                                      pieces.back()) == begin;
    if (isNext) {
      pieces.back() += static_cast<std::int64_t>(bytes);
    } else {
      pieces.push_back(static_cast<std::int64_t>(begin));
      pieces.push_back(static_cast<std::int64_t>(bytes));
    }
    size += bytes;
  }
  return {};
}

Result<> RemoteTensor::fetchPieces(const std::vector<std::int64_t>& pieces,
                                   std::uint64_t size) const {
  if (currentStop().stop_requested()) {
    return stopped();
  }
  const Frame answer = ULP_TRY(ask("pieces", {{"pieces", pieces}}));
  if (answer.bytes.size() != size) {
    return fail(ErrorCode::CorruptData,
                m_address.place + ": a tensor has another size than it said");
  }
  std::string_view rest = answer.bytes;
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
    const auto bytes = static_cast<std::size_t>(pieces[i + 1]);
    ULP_TRY(m_file->write(static_cast<std::uint64_t>(pieces[i]) / kBlock, rest.substr(0, bytes)));
    rest.remove_prefix(bytes);
  }
  m_sinceSwept += size;
  if (m_sinceSwept >= kSweptEvery) {
    m_sinceSwept = 0;
    keepBelow(m_cache, kMostKeptTensors);
  }
  return {};
}

Result<std::vector<std::byte>> RemoteTensor::pick(const ElementGrid& wanted) const {
  const std::scoped_lock lock(m_fetching);
  const auto known = std::ranges::find(m_picked, wanted, &Picked::grid);
  if (known != m_picked.end()) {
    return known->bytes;
  }
  auto picked = fetchPicked(wanted);
  if (!picked) {
    return noted(std::move(picked.error()));
  }
  if (picked->size() <= kMostPickedBytes) {
    m_picked.push_front({wanted, *picked});
    if (m_picked.size() > kMostPicked) {
      m_picked.pop_back();
    }
  }
  return std::move(*picked);
}

Result<std::vector<std::byte>> RemoteTensor::fetchPicked(const ElementGrid& wanted) const {
  std::vector<std::byte> all;
  const auto most = static_cast<std::int64_t>(kTile / itemSize(m_dtype));
  const std::int64_t columns = std::min(wanted.columns, most);
  const std::int64_t rows = wanted.columns > most ? 1 : std::max<std::int64_t>(1, most / columns);
  for (std::int64_t row = 0; row < wanted.rows; row += rows) {
    for (std::int64_t column = 0; column < wanted.columns; column += columns) {
      if (currentStop().stop_requested()) {
        return stopped();
      }
      const ElementGrid part{
          .first = wanted.first + row * wanted.rowStep + column * wanted.columnStep,
          .columns = std::min(columns, wanted.columns - column),
          .columnStep = wanted.columnStep,
          .rows = std::min(rows, wanted.rows - row),
          .rowStep = wanted.rowStep};
      const Frame answer = ULP_TRY(ask("pick",
                                       {{"first", part.first},
                                        {"columns", part.columns},
                                        {"column_step", part.columnStep},
                                        {"rows", part.rows},
                                        {"row_step", part.rowStep}}));
      if (answer.bytes.size() != part.count() * itemSize(m_dtype)) {
        return fail(ErrorCode::CorruptData,
                    m_address.place + ": a tensor has another size than it said");
      }
      const auto bytes = std::as_bytes(std::span(answer.bytes));
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
  }
  return all;
}

Result<Frame> RemoteTensor::ask(std::string_view what, const json::Object& more) const {
  json::Object question = m_address.question;
  question["ask"] = what;
  for (const json::Member& each : more) {
    question[each.name] = each.value;
  }
  Frame answer = ULP_TRY(m_address.session->ask({.head = std::move(question)}));
  if (static_cast<std::uint64_t>(answer.head.at("total").integer()) != m_file->size()) {
    return fail(ErrorCode::CorruptData,
                m_address.place + ": a tensor has another size than it said");
  }
  return answer;
}

std::optional<Error> RemoteTensor::problem() const {
  const std::scoped_lock lock(m_telling);
  return m_problem;
}

Result<Frame> RemoteTensor::askHost(json::Object question) const {
  auto answer = m_address.session->ask({.head = std::move(question)});
  const bool isProblem = !answer && answer.error().code() != ErrorCode::Unsupported;
  return isProblem ? Result<Frame>(noted(std::move(answer.error()))) : std::move(answer);
}

tl::unexpected<Error> RemoteTensor::noted(Error error) const {
  if (error.code() != ErrorCode::Cancelled) {
    const std::scoped_lock lock(m_telling);
    m_problem = m_problem ? m_problem : std::optional(error);
  }
  return tl::unexpected(std::move(error));
}

}  // namespace ulp::remote
