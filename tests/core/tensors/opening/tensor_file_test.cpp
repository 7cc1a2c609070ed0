#include "core/tensors/opening/tensor_file.h"

#include <cmath>
#include <filesystem>
#include <ostream>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "core/tensors/formats/numpy/npy_writer.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_writer.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/core/tensors/archive/zip_builder.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/rewritten_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

std::string npy() {
  return npyBytes("<i4", "(1,)", Bytes().number(7).content());
}

std::string safetensors() {
  const std::string header = R"({"x":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})";
  return Bytes().number<std::uint64_t>(header.size()).text(header).number(7).content();
}

const std::string kAtb =
    "$Version=1.0\n$Object.Length=4\nformat=2\ndtype=3\ndims=1\n$Object.data=0,4\n$End=1\n" +
    Bytes().number(7).content();

TEST(TensorFileTest, FormatsAreKnownByContentWhateverTheName) {
  const test::TempDir dir;
  const std::string pickle = "\x80\x02N.";
  for (const auto& [content, count] :
       std::vector<std::pair<std::string, std::size_t>>{{npy(), 1},
                                                        {safetensors(), 1},
                                                        {kAtb, 1},
                                                        {zipOf({{"a.npy", npy()}}), 1},
                                                        {zipOf({{"x/data.pkl", pickle}}), 0}}) {
    const auto path = dir.write("file.bin", content);
    EXPECT_TRUE(looksLikeTensorFile(path));
    const auto archive = openTensorFile(path);
    ASSERT_TRUE(archive) << archive.error().message();
    ASSERT_EQ((*archive)->tensors().size(), count);
    for (const TensorInfo& info : (*archive)->tensors()) {
      const auto tensor = (*archive)->read(info.name);
      ASSERT_TRUE(tensor) << tensor.error().message();
      EXPECT_EQ(numerics::elementAt(tensor->view, 0), 7);
    }
  }
}

TEST(TensorFileTest, ReadsDatasetsOfHdf5) {
  const test::TempDir dir;
  const auto writer = CaptureWriter::create(dir.path());
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->beginRun("r"));
  const float value = 7;
  const Site site{"norm", "model.norm", -1, Level::Layer, Pass::Forward};
  ASSERT_TRUE((*writer)->put(site, {&value, DType::Float32, {1}}, 0));
  ASSERT_TRUE((*writer)->finishRun());
  const auto archive = openTensorFile(dir / "tensors/r.h5");
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_FALSE((*archive)->tensors().empty());
  EXPECT_THAT((*archive)->tensors()[0].name, testing::EndsWith("forward/model.norm"));
  const auto tensor = (*archive)->read((*archive)->tensors()[0].name);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(numerics::elementAt(tensor->view, 0), 7);
  dir.write("cut.h5", "\x89HDF\r\n\x1A\n and no more");
  EXPECT_THAT(messageOf(openTensorFile(dir / "cut.h5")),
              HasSubstr("cut.h5: not a whole HDF5 file"));
}

TEST(TensorFileTest, OtherFilesAreRefusedWithWhatIsRead) {
  const test::TempDir dir;
  const auto message = [&](const std::string& content) {
    const auto path = dir.write("file", content);
    EXPECT_FALSE(looksLikeTensorFile(path) && !content.starts_with("PK"));
    return messageOf(openTensorFile(path));
  };
  EXPECT_THAT(message(""), HasSubstr("file: is empty; files that are read: safetensors, GGUF"));
  EXPECT_THAT(message("hello"), HasSubstr("holds no tensors that are known"));
  EXPECT_THAT(message("{\"a\": 1}"), HasSubstr("JSON, but not the index"));
  EXPECT_THAT(message("\x80\x02."), HasSubstr("save it again with torch 1.6"));
  EXPECT_THAT(message(zipOf({{"a.txt", "x"}})), HasSubstr("neither the data.pkl"));
  EXPECT_THAT(messageOf(openTensorFile(dir / "missing")), HasSubstr("missing"));
  EXPECT_FALSE(looksLikeTensorFile(dir.path()));
  EXPECT_THAT(messageOf(openTensorFile(dir.path())), HasSubstr("not a regular file"));
}

/// Opening one to read waits for somebody who writes.
TEST(TensorFileTest, NamedPipesAndDevicesAreRefusedAtOnce) {
  const test::TempDir dir;
  const auto pipe = dir / "pipe.npy";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& path : {pipe, std::filesystem::path("/dev/zero")}) {
    EXPECT_FALSE(looksLikeTensorFile(path)) << path;
    EXPECT_THAT(messageOf(openTensorFile(path)), HasSubstr("not a regular file")) << path;
  }
}

TEST(TensorFileTest, ElementsOfAFileThatBecomesShorterAreNotBelieved) {
  const test::TempDir dir;
  const std::vector<float> ones(100'000, 1.0F);  // several pages, whatever their size
  const auto path = dir / "x.npy";
  ASSERT_TRUE(writeNpy(path, {ones.data(), DType::Float32, {100'000}}));
  const auto archive = openTensorFile(path);
  ASSERT_TRUE(archive);
  const auto tensor = (*archive)->read("");
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(checkIntact(*tensor));
  std::filesystem::resize_file(path, 128);
  EXPECT_TRUE(std::isnan(numerics::elementAt(tensor->view, 99'999)));
  EXPECT_EQ(checkIntact(*tensor).error().code(), ErrorCode::CorruptData);
}

constexpr std::size_t kCount = 4096;  // several pages of float32

std::string elements(float value) {
  Bytes bytes;
  for (std::size_t i = 0; i < kCount; ++i) {
    bytes.number(value);
  }
  return bytes.content();
}

std::string safetensorsOf(float value) {
  const std::string header = R"({"x":{"dtype":"F32","shape":[4096],"data_offsets":[0,16384]}})";
  return Bytes().number<std::uint64_t>(header.size()).text(header).text(elements(value)).content();
}

std::string ggufOf(float value) {
  Bytes file;
  file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(1).number<std::uint64_t>(0);
  file.counted("x").number<std::uint32_t>(1).number<std::uint64_t>(kCount);
  file.number<std::uint32_t>(0).number<std::uint64_t>(0).padTo(32);
  return file.text(elements(value)).content();
}

std::string torchOf(float value) {
  const test::TempDir dir;
  const std::vector<float> values(kCount, value);
  EXPECT_TRUE(writeTorchTensor(dir / "x.pt", {values.data(), DType::Float32, {kCount}}));
  return test::contentOf(dir / "x.pt");
}

std::string hdf5Of(float value) {
  const test::TempDir dir;
  const std::vector<float> values(kCount, value);
  const auto writer = CaptureWriter::create(dir.path());
  EXPECT_TRUE(writer && (*writer)->beginRun("r") &&
              (*writer)->put({"norm", "model.norm", -1, Level::Layer, Pass::Forward},
                             {values.data(), DType::Float32, {kCount}},
                             0) &&
              (*writer)->finishRun());
  return test::contentOf(dir / "tensors/r.h5");
}

/// A format, and a file of it with as many elements of one value.
struct OpenFormat {
  const char* name;
  std::string (*contentOf)(float value);
};

void PrintTo(const OpenFormat& format,
             std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << format.name;
}

/// What happens to a file of each format between its opening and its reading.
class OpenTensorFile : public testing::TestWithParam<OpenFormat> {
 protected:
  OpenTensorFile() {
    auto archive = openTensorFile(m_path);
    EXPECT_TRUE(archive) << archive.error().message();
    m_archive = *archive;
  }

  /// The last element; an error where it may not be believed.
  [[nodiscard]] Result<double> last() const {
    const auto tensor = ULP_TRY(m_archive->read(m_archive->tensors().front().name));
    const double value = numerics::elementAt(tensor.view, kCount - 1);
    ULP_TRY(checkIntact(tensor));
    return value;
  }

  test::TempDir m_dir;
  std::filesystem::path m_path = m_dir.write("file", GetParam().contentOf(7));
  TensorArchivePtr m_archive;
};

TEST_P(OpenTensorFile, IsReadWhileNothingHappens) {
  EXPECT_EQ(last(), 7);
}

TEST_P(OpenTensorFile, ThatBecomesShorterIsAnErrorThatNamesItAndSaysWhatToDo) {
  std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) / 2);
  const auto read = last();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(read.error().message(),
              AllOf(HasSubstr(m_path.string() + ": the file became shorter while it was open"),
                    HasSubstr("put the whole file back")));
}

TEST_P(OpenTensorFile, ThatIsReplacedKeepsItsContent) {
  std::filesystem::rename(m_dir.write("new", GetParam().contentOf(9)), m_path);
  EXPECT_EQ(last(), 7);
}

TEST_P(OpenTensorFile, ThatIsChangedInPlaceIsAnErrorThatNamesItAndSaysWhatToDo) {
  test::writeInPlace(m_path, GetParam().contentOf(9));
  const auto read = last();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(read.error().message(),
              AllOf(HasSubstr(m_path.string() + ": the file was changed while it was open"),
                    HasSubstr("open it again")));
}

INSTANTIATE_TEST_SUITE_P(
    Formats,
    OpenTensorFile,
    testing::Values(
        OpenFormat{"safetensors", safetensorsOf},
        OpenFormat{"gguf", ggufOf},
        OpenFormat{"npy", [](float value) { return npyBytes("<f4", "(4096,)", elements(value)); }},
        OpenFormat{"npz",
                   [](float value) {
                     return zipOf({{"a.npy", npyBytes("<f4", "(4096,)", elements(value))}});
                   }},
        OpenFormat{"packed_npz",
                   [](float value) {
                     return zipOf({deflated("a.npy", npyBytes("<f4", "(4096,)", elements(value)))});
                   }},
        OpenFormat{"torch", torchOf},
        OpenFormat{"atb",
                   [](float value) {
                     return "$Version=1.0\n$Object.Length=16384\nformat=2\ndtype=0\ndims=4096\n"
                            "$Object.data=0,16384\n$End=1\n" +
                            elements(value);
                   }},
        OpenFormat{"hdf5", hdf5Of}),
    [](const auto& format) { return std::string(format.param.name); });

}  // namespace
}  // namespace ulp::tensors
