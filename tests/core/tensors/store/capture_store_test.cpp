#include <array>
#include <csignal>
#include <numeric>
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/unfinished.h"
#include "core/base/stop_scope.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/store/capture_reader.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/core/tensors/formats/hdf5/reader_script.h"
#include "tests/core/tensors/store/foreign_hdf5.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using numerics::TensorView;
using test::contentOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const Site kLayer{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Forward};
const Site kModule{"model.layers.0.mlp", "model.layers.0.mlp", 0, Level::Module, Pass::Forward};
const Site kGradient{"model.norm.weight", "model.norm", -1, Level::Layer, Pass::ParameterGradient};
const std::array<float, 6> kSixFloats{1, 2, 3, 4, 5, 6};
const TensorView kView{kSixFloats.data(), DType::Float32, {2, 3}};

/// Stores kView at `sites` as one complete run.
Result<> store(CaptureWriter& writer, std::string_view run, const std::vector<Site>& sites) {
  auto done = writer.beginRun(run);
  for (std::size_t i = 0; done && i < sites.size(); ++i) {
    done = writer.put(sites[i], kView, 0);
  }
  return done ? writer.finishRun() : done;
}

std::vector<std::string> runsOf(const CaptureReader& reader) {
  std::vector<std::string> runs;
  for (const StoredCapture& capture : reader.captures()) {
    if (runs.empty() || runs.back() != capture.run) {
      runs.push_back(capture.run);
    }
  }
  return runs;
}

/// Files may grow to `bytes` for as long as this lives; writing more fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit limit{bytes, m_before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &m_before);
    static_cast<void>(std::signal(SIGXFSZ, m_handler));
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit m_before{};
  void (*m_handler)(int);
};

/// From the longest down to none, in steps that differ: each costs processes of the reader.
std::vector<std::uintmax_t> truncationsOf(const std::filesystem::path& file) {
  std::vector<std::uintmax_t> sizes;
  std::uintmax_t step = 1;
  for (auto size = std::filesystem::file_size(file); size > step; step += 3) {
    size -= step;
    sizes.push_back(size);
  }
  sizes.insert(sizes.end(), {8, 1, 0});
  return sizes;
}

class CaptureStore : public testing::Test {
 public:
  [[nodiscard]] std::unique_ptr<CaptureWriter> writer() const {
    auto made = CaptureWriter::create(folder.path());
    EXPECT_TRUE(made) << made.error().message();
    return std::move(*made);
  }
  [[nodiscard]] std::shared_ptr<const CaptureReader> reader() const {
    auto opened = CaptureReader::open(folder.path());
    EXPECT_TRUE(opened) << opened.error().message();
    return *opened;
  }

  [[nodiscard]] std::vector<std::string> filesOfRuns() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "tensors")) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  test::TempDir folder;
};

TEST_F(CaptureStore, ReadsWhatItWrote) {
  ASSERT_TRUE(store(*writer(), "reference", {kLayer, kModule, kGradient}));
  const auto opened = reader();
  ASSERT_EQ(opened->captures().size(), 3U);
  EXPECT_THAT(opened->problems(), IsEmpty());
  const StoredCapture& first = opened->captures()[0];
  EXPECT_EQ(first.run, "reference");
  EXPECT_EQ(first.site, kLayer);
  EXPECT_EQ(first.dtype, DType::Float32);
  EXPECT_EQ(first.sampleStride, 1U);
  EXPECT_THAT(first.shape, ElementsAre(2, 3));
  EXPECT_EQ(opened->captures()[1].site, kModule);
  EXPECT_EQ(opened->captures()[2].site, kGradient);
  EXPECT_EQ(opened->find(first.run, kModule), &opened->captures()[1]);
  EXPECT_EQ(opened->find(first.run, kGradient), &opened->captures()[2]);
  EXPECT_EQ(opened->find("another run", kModule), nullptr);
  const auto tensor = opened->read(first);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 3));
  EXPECT_THAT(elementsOf<float>(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(CaptureStore, KeepsTheBitsOfEveryType) {
  const auto opened = writer();
  ASSERT_TRUE(opened->beginRun("r"));
  std::array<std::uint8_t, 64> bytes{};
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0x70});
  for (int i = 0; i <= static_cast<int>(DType::UInt8); ++i) {
    const auto dtype = static_cast<DType>(i);
    const Site site{std::string(toString(dtype)), "", -1, Level::Op, Pass::Forward};
    const auto count = static_cast<std::int64_t>(bytes.size() / itemSize(dtype));
    const auto stored = opened->put(site, {bytes.data(), dtype, {count}}, 0);
    ASSERT_TRUE(stored) << stored.error().message();
  }
  const std::array<bool, 2> flags{true, false};
  ASSERT_TRUE(
      opened->put({"bool", "", -1, Level::Op, Pass::Forward}, {flags.data(), DType::Bool, {2}}, 0));
  ASSERT_TRUE(opened->finishRun());
  const auto read = reader();
  ASSERT_EQ(read->captures().size(), 12U);
  for (const StoredCapture& capture : read->captures()) {
    EXPECT_EQ(toString(capture.dtype), capture.site.name);
    const auto tensor = read->read(capture);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(tensor->view.dtype, capture.dtype);
    if (capture.dtype == DType::Bool) {
      EXPECT_THAT(elementsOf<bool>(*tensor), ElementsAre(true, false));
    } else {
      EXPECT_EQ(std::memcmp(tensor->view.data, bytes.data(), bytes.size()), 0) << capture.site.name;
    }
  }
}

TEST_F(CaptureStore, StoresScalarsAndEmptyTensors) {
  const auto opened = writer();
  ASSERT_TRUE(opened->beginRun("r"));
  ASSERT_TRUE(opened->put(
      {"loss", "", -1, Level::Layer, Pass::Forward}, {kSixFloats.data(), DType::Float32, {}}, 0));
  ASSERT_TRUE(opened->put(kModule, {nullptr, DType::Float32, {0, 3}}, 0));
  ASSERT_TRUE(opened->finishRun());
  const auto read = reader();
  EXPECT_THAT(elementsOf<float>(read->read(read->captures()[0]).value()), ElementsAre(1));
  EXPECT_THAT(read->read(read->captures()[1])->view.shape, ElementsAre(0, 3));
}

TEST_F(CaptureStore, MapsTensors) {
  const std::vector<float> many(1000, 2.5F);
  const auto opened = writer();
  ASSERT_TRUE(opened->beginRun("r"));
  ASSERT_TRUE(opened->put(kLayer, {many.data(), DType::Float32, {10, 100}}, 0));
  ASSERT_TRUE(opened->finishRun());
  const auto read = reader();
  const StoredCapture& capture = read->captures()[0];
  EXPECT_EQ(read->read(capture)->view.data, read->read(capture)->view.data);
}

TEST_F(CaptureStore, StoresSubsamplesWithTheirStride) {
  std::vector<std::int32_t> many(210);
  std::iota(many.begin(), many.end(), 0);
  const auto opened = writer();
  ASSERT_TRUE(opened->beginRun("r"));
  ASSERT_TRUE(opened->put(kLayer, {many.data(), DType::Int32, {6, 35}}, 20));
  ASSERT_TRUE(opened->put(kModule, {many.data(), DType::Int32, {4, 5}}, 20));
  ASSERT_TRUE(opened->finishRun());
  const auto read = reader();
  const StoredCapture& sampled = read->captures()[0];
  EXPECT_THAT(sampled.shape, ElementsAre(6, 35));
  EXPECT_EQ(sampled.sampleStride, 11U);
  const auto elements = elementsOf<std::int32_t>(read->read(sampled).value());
  ASSERT_EQ(elements.size(), 20U);
  EXPECT_EQ(elements[0], 0);
  EXPECT_EQ(elements[19], 209);
  EXPECT_EQ(read->captures()[1].sampleStride, 1U);
  EXPECT_THAT(read->read(read->captures()[1])->view.shape, ElementsAre(4, 5));
}

TEST_F(CaptureStore, KeepsRunsWithOddNames) {
  const std::vector<std::string> names{"%2F", ".", "a/b", "bf16 größe", std::string(300, 'x')};
  const auto opened = writer();
  for (const std::string& name : names) {
    const auto stored = store(*opened, name, {kLayer});
    ASSERT_TRUE(stored) << stored.error().message();
  }
  EXPECT_EQ(runsOf(*reader()), names);
}

TEST_F(CaptureStore, KeepsCompleteRunsOfAnEarlierProcess) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  ASSERT_TRUE(store(*writer(), "b", {kLayer}));
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a", "b"));
}

TEST_F(CaptureStore, ReplacesARunOnlyWhenItIsComplete) {
  const auto opened = writer();
  ASSERT_TRUE(store(*opened, "a", {kLayer}));
  ASSERT_TRUE(opened->beginRun("a"));
  ASSERT_TRUE(opened->put(kModule, kView, 0));
  EXPECT_EQ(reader()->captures()[0].site, kLayer);
  ASSERT_TRUE(opened->finishRun());
  ASSERT_EQ(reader()->captures().size(), 1U);
  EXPECT_EQ(reader()->captures()[0].site, kModule);
}

TEST_F(CaptureStore, LeavesNothingOfAnUnfinishedRun) {
  {
    const auto opened = writer();
    ASSERT_TRUE(store(*opened, "a", {kLayer}));
    ASSERT_TRUE(opened->beginRun("b"));
    ASSERT_TRUE(opened->put(kLayer, kView, 0));
  }
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a"));
  EXPECT_THAT(filesOfRuns(), ElementsAre("a.h5"));
}

TEST_F(CaptureStore, DropsWhatAKilledProcessLeft) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  folder.write("tensors/" + unfinishedName("b.h5"), "half a file");
  ASSERT_TRUE(store(*writer(), "c", {kLayer}));
  EXPECT_THAT(filesOfRuns(), UnorderedElementsAre("a.h5", "c.h5"));
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a", "c"));
}

TEST_F(CaptureStore, RefusesNamesThatItCannotStore) {
  const auto opened = writer();
  EXPECT_EQ(opened->beginRun("").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(opened->beginRun("\xFF").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(opened->put(kLayer, kView, 0).error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(opened->finishRun().error().code(), ErrorCode::InvalidArgument);
  ASSERT_TRUE(opened->beginRun("r"));
  const Site slash{"a/b", "", -1, Level::Module, Pass::Forward};
  EXPECT_THAT(messageOf(opened->put(slash, kView, 0)), HasSubstr("site 'a/b': not a name"));
  ASSERT_TRUE(opened->put(kLayer, kView, 0));
  EXPECT_THAT(messageOf(opened->put(kLayer, kView, 0)),
              HasSubstr("was stored before in pass forward"));
  ASSERT_TRUE(opened->finishRun());
  EXPECT_EQ(reader()->captures().size(), 1U);
}

TEST_F(CaptureStore, ReportsAFullDiskAndKeepsEarlierRuns) {
  const std::vector<float> many(1U << 20U, 1.0F);
  const auto opened = writer();
  ASSERT_TRUE(store(*opened, "a", {kLayer}));
  {
    const FileSizeLimit limit(1U << 20U);
    ASSERT_TRUE(opened->beginRun("b"));
    ASSERT_TRUE(opened->put(kLayer, kView, 0));
    const auto stored = opened->put(kModule, {many.data(), DType::Float32, {1 << 20}}, 0);
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code(), ErrorCode::Io);
    EXPECT_THAT(stored.error().message(),
                HasSubstr("tensors/b.h5: cannot write 'model.layers.0.mlp': File too large"));
    EXPECT_EQ(opened->finishRun().error().code(), ErrorCode::InvalidArgument);
  }
  EXPECT_THAT(filesOfRuns(), ElementsAre("a.h5"));
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a"));
  ASSERT_TRUE(store(*opened, "c", {kLayer}));
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a", "c"));
}

TEST_F(CaptureStore, SurvivesADiskThatFillsAnywhere) {
#if defined(__SANITIZE_THREAD__)
  // The reader of HDF5 files, too, is a process of its own, and would not come to its main().
  GTEST_SKIP() << "ThreadSanitizer begins each process with a large file of its own";
#endif
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  std::vector<Site> many;
  many.reserve(60);
  for (int i = 0; i < 60; ++i) {
    many.push_back({"row" + std::to_string(i), "", i, Level::Op, Pass::Backward});
  }
  int failures = 0;
  for (rlim_t bytes = 0; bytes < 49152; bytes += 1000) {
    const FileSizeLimit limit(bytes);
    const auto made = CaptureWriter::create(folder.path());
    const auto stored = made ? store(**made, "b", many) : tl::unexpected(made.error());
    if (!stored) {
      ++failures;
      ASSERT_EQ(stored.error().code(), ErrorCode::Io);
      ASSERT_THAT(stored.error().message(), HasSubstr("File too large")) << bytes;
      ASSERT_THAT(runsOf(*reader()), ElementsAre("a")) << bytes;
    }
  }
  EXPECT_GT(failures, 20);
  EXPECT_THAT(runsOf(*reader()), ElementsAre("a", "b"));
}

TEST_F(CaptureStore, ReportsThatEvenTheIndexCannotBeWritten) {
  const FileSizeLimit limit(16);
  const auto made = CaptureWriter::create(folder.path());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::Io);
  EXPECT_THAT(made.error().message(), HasSubstr("tensors.h5: cannot write: File too large"));
  EXPECT_FALSE(std::filesystem::exists(folder / "tensors.h5"));
}

TEST_F(CaptureStore, NamesAFolderThatCannotBeMade) {
  folder.write("tensors", "a file where a folder is needed");
  const auto made = CaptureWriter::create(folder.path());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::Io);
  EXPECT_THAT(made.error().message(), HasSubstr("/tensors: "));
}

TEST_F(CaptureStore, RefusesToContinueBesideADamagedRun) {
  folder.write("tensors/x.h5", "no run");
  const auto made = CaptureWriter::create(folder.path());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(made.error().message(), HasSubstr("x.h5: holds no complete run"));
}

TEST_F(CaptureStore, ReadsTheOtherRunsBesideDamagedOnes) {
  {
    const auto opened = writer();
    for (const char* run : {"a", "b", "c"}) {
      ASSERT_TRUE(store(*opened, run, {kLayer, kModule}));
    }
  }
  std::filesystem::remove(folder / "tensors/a.h5");
  std::filesystem::resize_file(folder / "tensors/b.h5", 600);
  const auto read = reader();
  EXPECT_THAT(runsOf(*read), ElementsAre("c"));
  ASSERT_EQ(read->problems().size(), 2U);
  EXPECT_THAT(read->problems()[0].message(), HasSubstr("run 'a': its file in tensors/ is missing"));
  EXPECT_THAT(read->problems()[1].message(),
              HasSubstr("run 'b': its file in tensors/ is missing or damaged"));
  EXPECT_TRUE(read->read(read->captures()[0]));
}

TEST_F(CaptureStore, RefusesEveryTruncationOfARun) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const auto path = folder / "tensors/a.h5";
  for (const auto size : truncationsOf(path)) {
    std::filesystem::resize_file(path, size);
    const auto read = reader();
    ASSERT_THAT(read->captures(), IsEmpty()) << size;
    ASSERT_EQ(read->problems().size(), 1U) << size;
  }
}

TEST_F(CaptureStore, RefusesEveryTruncationOfTheIndex) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const auto path = folder / "tensors.h5";
  for (const auto size : truncationsOf(path)) {
    std::filesystem::resize_file(path, size);
    const auto read = CaptureReader::open(path);
    ASSERT_FALSE(read) << size;
    ASSERT_THAT(read.error().message(), HasSubstr("tensors.h5: not a whole HDF5 file"));
  }
}

/// The index of a folder that was downloaded names any file of its reader.
TEST_F(CaptureStore, LinksThatLeadOutOfTheFolderAreNotFollowed) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const test::TempDir other;
  std::filesystem::rename(folder / "tensors/a.h5", other / "a.h5");
  std::filesystem::create_directory(folder / "tensors/deeper");
  std::filesystem::copy_file(other / "a.h5", folder / "a.h5");
  std::filesystem::copy_file(other / "a.h5", folder / "tensors/deeper/a.h5");
  std::filesystem::remove(folder / "tensors.h5");
  const std::vector<std::string> files{(other / "a.h5").string(),
                                       "tensors/../a.h5",
                                       "a.h5",
                                       "tensors/deeper/a.h5",
                                       "../" + folder.path().filename().string() + "/a.h5",
                                       (folder / "a.h5").string()};
  {
    ForeignHdf5 index(folder / "tensors.h5");
    for (std::size_t i = 0; i < files.size(); ++i) {
      index.link("runs/" + std::to_string(i), files[i], "/runs/a");
    }
    ASSERT_TRUE(index.ok());
  }
  const auto read = reader();
  EXPECT_THAT(read->captures(), IsEmpty());
  ASSERT_EQ(read->problems().size(), files.size());
  for (const Error& problem : read->problems()) {
    EXPECT_THAT(problem.message(), HasSubstr("not a file of the folder tensors"));
  }
}

TEST_F(CaptureStore, AFileThatTwoRunsShareIsDamage) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  std::filesystem::remove(folder / "tensors.h5");
  {
    ForeignHdf5 index(folder / "tensors.h5");
    index.link("runs/a", "tensors/a.h5", "/runs/a");
    index.link("runs/b", "tensors/a.h5", "/runs/a");
    ASSERT_TRUE(index.ok());
  }
  const auto read = CaptureReader::open(folder.path());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("leads to a file that another run has already"));
}

TEST_F(CaptureStore, AnExtentThatNoFileHoldsIsNamedWithItsLimit) {
  std::filesystem::create_directory(folder / "tensors");
  {
    ForeignHdf5 run(folder / "tensors/a.h5");
    run.group("runs/a", "a");
    run.endless("runs/a/forward/x", H5T_IEEE_F32LE, {hsize_t{1} << 62U});
    run.describe("runs/a/forward/x", "x");
    ForeignHdf5 index(folder / "tensors.h5");
    index.link("runs/a", "tensors/a.h5", "/runs/a");
    ASSERT_TRUE(run.ok() && index.ok());
  }
  const auto read = reader();
  ASSERT_EQ(read->problems().size(), 1U);
  EXPECT_THAT(read->problems()[0].message(),
              AllOf(HasSubstr("tensors/a.h5: 'runs/a/forward/x': claims more elements than its "
                              "file can hold (4611686018427387904; "),
                    HasSubstr(" at most)")));
}

/// The reader crashes on the one and not on the other, as HDF5 does on some damaged files.
TEST_F(CaptureStore, ARunOnWhichTheLibraryCrashesLeavesTheOthers) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  ASSERT_TRUE(store(*writer(), "b", {kModule}));
  const ReaderScript script(
      folder,
      "case $2 in */a.h5) kill -SEGV $$ ;; esac\nexec " + ReaderScript::program() + " \"$@\"");
  const auto read = reader();
  EXPECT_THAT(runsOf(*read), ElementsAre("b"));
  ASSERT_EQ(read->problems().size(), 1U);
  EXPECT_EQ(read->problems()[0].code(), ErrorCode::CorruptData);
  EXPECT_THAT(read->problems()[0].message(),
              AllOf(HasSubstr("run 'a': its file in tensors/ is missing or damaged"),
                    HasSubstr("tensors/a.h5: HDF5 crashed on it")));
  EXPECT_THAT(elementsOf<float>(read->read(read->captures()[0]).value()),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

/// HDF5 1.10 follows a pointer out of the tree of the chunks.
TEST_F(CaptureStore, ATensorOnWhichTheLibraryCrashesIsAnErrorAndTheOthersAreRead) {
  const auto seeds = std::filesystem::path(ULP_SOURCE_DIR) / "tests/fuzz/corpus/hdf5";
  std::filesystem::copy_file(seeds / "packed.h5", folder / "tensors.h5");
  {
    ForeignHdf5 file(folder / "tensors.h5");
    file.group("runs/a", "a");
    file.alias("runs/a/forward/zip", "zip");
    file.describe("runs/a/forward/zip", "zip");
    file.endless("runs/a/forward/other", H5T_IEEE_F32LE, {2});
    file.describe("runs/a/forward/other", "other");
    ASSERT_TRUE(file.ok());
  }
  std::string content = contentOf(folder / "tensors.h5");
  content.at(1001) = '\xFF';
  folder.write("tensors.h5", content);
  const auto read = reader();
  ASSERT_EQ(read->captures().size(), 2U);
  const auto& captures = read->captures();
  const bool isFirst = captures[0].site.name == "zip";
  const auto zip = read->read(captures[isFirst ? 0 : 1]);
  ASSERT_FALSE(zip);
  EXPECT_EQ(zip.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(
      zip.error().message(),
      AllOf(HasSubstr("tensors.h5: 'runs/a/forward/zip': "), HasSubstr("HDF5 crashed on it")));
  EXPECT_THAT(elementsOf<float>(read->read(captures[isFirst ? 1 : 0]).value()), ElementsAre(0, 0));
}

TEST_F(CaptureStore, OpeningThatIsStoppedIsNoProblemOfARun) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto read = CaptureReader::open(folder.path());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Cancelled);
}

TEST_F(CaptureStore, ReadsARunThatAnotherProgramPackedUnlessItChangesMeanwhile) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const auto path = folder / "tensors/a.h5";
  const auto repack = [&] {
    ForeignHdf5 run(path);
    run.pack("runs/a/forward/model.layers.0");
    run.describe("runs/a/forward/model.layers.0", "decoder.0");
    ASSERT_TRUE(run.ok());
  };
  repack();
  const auto read = reader();
  ASSERT_EQ(read->captures().size(), 1U);
  EXPECT_THAT(elementsOf<float>(read->read(read->captures()[0]).value()),
              ElementsAre(1, 2, 3, 4, 5, 6));
  repack();
  const auto again = read->read(read->captures()[0]);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("was changed or replaced while it was open"));
}

TEST_F(CaptureStore, OpensTheFileOfOneRun) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const auto read = CaptureReader::open(folder / "tensors/a.h5");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_THAT(runsOf(**read), ElementsAre("a"));
}

TEST_F(CaptureStore, CanBeMovedAsAWhole) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const test::TempDir other;
  std::filesystem::rename(folder.path() / "tensors.h5", other / "tensors.h5");
  std::filesystem::rename(folder.path() / "tensors", other / "tensors");
  const auto read = CaptureReader::open(other.path());
  ASSERT_TRUE(read);
  EXPECT_THAT(runsOf(**read), ElementsAre("a"));
}

TEST_F(CaptureStore, WritesEqualFilesForEqualRuns) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer, kModule}));
  const std::string first = contentOf(folder / "tensors/a.h5");
  ASSERT_TRUE(store(*writer(), "a", {kLayer, kModule}));
  EXPECT_EQ(first, contentOf(folder / "tensors/a.h5"));
}

TEST_F(CaptureStore, NamesACaptureThatDoesNotExist) {
  ASSERT_TRUE(store(*writer(), "a", {kLayer}));
  const auto read = reader();
  StoredCapture capture = read->captures()[0];
  capture.site.pass = Pass::Backward;
  const auto tensor = read->read(capture);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(tensor.error().message(),
              HasSubstr("run 'a': no capture of 'decoder.0' in pass backward"));
}

TEST_F(CaptureStore, SaysThatAFolderHoldsNoTensors) {
  const auto read = CaptureReader::open(folder.path());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::tensors
