// What the real engine says where the CUDA driver answers nothing that it can use.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// `variables` decide what the driver answers, and which devices are visible.
test::CliOutcome withDriver(const std::string& variables,
                            const std::vector<std::string>& arguments = {"devices"}) {
  return test::runCli(arguments,
                      "env -u CUDA_VISIBLE_DEVICES -u NVIDIA_TF32_OVERRIDE "
                      "LD_LIBRARY_PATH=" ULP_BINARY_DIR "/tests/fake_cuda " +
                          variables);
}

/// The note of the only CUDA device of `devices`.
std::string noteOfCuda(const std::string& variables) {
  const test::CliOutcome outcome = withDriver(variables);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::size_t begin = outcome.out.find("\ncuda");
  const std::size_t end = outcome.out.find('\n', begin + 1);
  if (begin == std::string::npos || end == std::string::npos) {
    return "no line of CUDA: " + outcome.out;
  }
  const std::string line = outcome.out.substr(begin + 1, end - begin - 1);
  constexpr const char* kUnknownMemory = "–  ";
  const std::size_t memory = line.find(kUnknownMemory);
  return memory == std::string::npos
             ? line
             : line.substr(memory + std::char_traits<char>::length(kUnknownMemory));
}

TEST(CudaDriver, ThatHasNoDeviceIsToldFromOneThatHidesThem) {
  EXPECT_EQ(noteOfCuda("FAKE_CUDA_INIT=100"),
            "the CUDA driver has no device (error 100: no CUDA-capable device is detected); see "
            "whether nvidia-smi lists one; a container is started with its GPUs (--gpus all)");
  EXPECT_EQ(noteOfCuda("FAKE_CUDA_INIT=100 CUDA_VISIBLE_DEVICES="),
            "the CUDA driver has no device (error 100: no CUDA-capable device is detected); "
            "CUDA_VISIBLE_DEVICES='' hides all devices; unset it, or name those of nvidia-smi -L");
  EXPECT_THAT(noteOfCuda("FAKE_CUDA_INIT=100 CUDA_VISIBLE_DEVICES=-1"),
              HasSubstr("; CUDA_VISIBLE_DEVICES='-1' hides all devices; unset it"));
  EXPECT_EQ(noteOfCuda("FAKE_CUDA_DEVICES=0"), noteOfCuda("FAKE_CUDA_INIT=100"));
}

TEST(CudaDriver, ThatDoesNotAnswerGivesItsReasonAndTheRemedy) {
  EXPECT_EQ(noteOfCuda("FAKE_CUDA_INIT=803"),
            "the CUDA driver does not answer (error 803: system has unsupported display driver / "
            "cuda driver combination); libcuda.so.1 and the driver of the kernel have different "
            "versions, as after an update; restart the machine, or install the driver again");
  EXPECT_EQ(noteOfCuda("FAKE_CUDA_INIT=999"),
            "the CUDA driver does not answer (error 999: unknown error); see whether nvidia-smi "
            "lists the device; restart the machine, or install the driver again");
  EXPECT_THAT(noteOfCuda("FAKE_CUDA_INIT=4711"),
              HasSubstr("the CUDA driver does not answer (error 4711); see whether nvidia-smi"));
}

TEST(CudaDriver, ThatIsAbsentIsSaidToBe) {
  const test::TempDir empty;
  empty.write("libcuda.so.1", "not a library");
  EXPECT_THAT(
      noteOfCuda("LD_LIBRARY_PATH=" + empty.path().string()),
      testing::AllOf(HasSubstr("no CUDA driver (" + (empty / "libcuda.so.1").string() + ": "),
                     EndsWith("); where there is a GPU, install its driver, or start the "
                              "container with it (--gpus all)")));
}

TEST(CudaDriver, ThatDoesNotAnswerIsNamedByEveryCommand) {
  const std::string reason = "the CUDA driver does not answer (error 803";
  const auto doctor =
      nlohmann::json::parse(withDriver("FAKE_CUDA_INIT=803", {"doctor", "--json"}).out);
  EXPECT_THAT(doctor.dump(), HasSubstr(reason));
  const test::TempDir folder;
  const std::vector<std::string> run{"run",
                                     ULP_SOURCE_DIR "/configs/tiny_random.yaml",
                                     "--output",
                                     (folder / "out").string(),
                                     "--device"};
  auto named = run;
  named.emplace_back("cuda");
  const test::CliOutcome refused = withDriver("FAKE_CUDA_INIT=803", named);
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.err, HasSubstr(reason));
  auto automatic = run;
  automatic.emplace_back("auto");
  const test::CliOutcome warned = withDriver("FAKE_CUDA_INIT=803", automatic);
  EXPECT_EQ(warned.exitCode, 0) << warned.err;
  EXPECT_THAT(warned.out + warned.err, HasSubstr("cuda is not used: " + reason));
}

TEST(CudaDriver, NamesItsDevicesByUuid) {
  const std::string devices = withDriver("FAKE_CUDA_DEVICES=2").out;
  EXPECT_THAT(devices, HasSubstr("\n          uuid GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\n"));
  EXPECT_THAT(devices, HasSubstr("\n          uuid GPU-a1a2a3a4-a5a6-a7a8-a9aa-abacadaeafb0\n"));
  EXPECT_THAT(withDriver("FAKE_CUDA_PARTS=1").out,
              HasSubstr("\n          uuid MIG-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\n"));
}

TEST(CudaDriver, ThatIsTooOldForLibTorchIsSaidToBe) {
  const std::string note = noteOfCuda("FAKE_CUDA_VERSION=12040");
  EXPECT_THAT(note,
              HasSubstr("the driver is for CUDA 12.4, and this LibTorch needs 13.0; update "));
  EXPECT_THAT(note, Not(HasSubstr("libcaffe2_nvrtc")));
}

}  // namespace
}  // namespace ulp::cli
