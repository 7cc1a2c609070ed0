#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/remote/jobs/job_folder.h"
#include "core/remote/protocol/frame.h"
#include "core/remote/protocol/numbers.h"
#include "core/remote/serving/dump_answers.h"
#include "core/remote/serving/job_watch.h"
#include "core/remote/serving/tensor_shelf.h"

namespace ulp::remote {

/// The side of a connection that runs on the host: answers questions that come through one
/// descriptor into another, until nothing more comes. What it does, it does with the rights of the
/// user who logged in. Studies that it starts go on without it. For one thread.
class Server {
 public:
  /// `program`: the ulpscope-cli that is started for studies. `dumps` and `numbers` may be null.
  Server(int input,
         int output,
         std::filesystem::path program,
         std::unique_ptr<DumpAnswers> dumps = nullptr,
         NumbersAnswer numbers = nullptr)
      : m_input(input),
        m_output(output),
        m_program(std::move(program)),
        m_dumps(std::move(dumps)),
        m_numbers(std::move(numbers)) {}

  /// Errors: CorruptData, what comes are no frames; Io.
  [[nodiscard]] Result<> run();

 private:
  [[nodiscard]] Result<> take();
  [[nodiscard]] Result<Frame> answer(const Frame& question);
  [[nodiscard]] Result<Frame> start(const json::Value& question) const;
  [[nodiscard]] static Result<Frame> put(const Frame& question);
  [[nodiscard]] Result<Frame> watch(const json::Value& question);
  [[nodiscard]] Result<tensors::Tensor> tensorOf(const json::Value& question);
  [[nodiscard]] Result<Frame> numbers(const json::Value& question);
  [[nodiscard]] Result<> say(const Frame& frame) const;
  [[nodiscard]] Result<> glance();

  int m_input;
  int m_output;
  std::filesystem::path m_program;
  std::unique_ptr<DumpAnswers> m_dumps;
  NumbersAnswer m_numbers;
  FrameReader m_reader;
  bool m_hasEnded = false;
  std::optional<JobWatch> m_watch;
  TensorShelf m_shelf;
};

}  // namespace ulp::remote
