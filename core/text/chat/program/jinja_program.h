#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/text/chat/chat_template.h"

namespace ulp::text {

/// A chat template as the library that runs it has compiled it. Nothing limits what it takes:
/// memory, time and the stack are those of the process around it.
class JinjaProgram {
 public:
  /// Errors, which do not say whose template it is: those of ChatTemplate::parse().
  [[nodiscard]] static Result<JinjaProgram> parse(const std::string& jinja,
                                                  SpecialTokens specialTokens);
  /// Errors: those of ChatTemplate::render().
  [[nodiscard]] Result<std::string> render(std::span<const ChatMessage> messages,
                                           bool addPrompt) const;

 private:
  struct Templates;
  JinjaProgram(SpecialTokens specialTokens, std::shared_ptr<const Templates> templates)
      : m_specialTokens(std::move(specialTokens)), m_templates(std::move(templates)) {}

  SpecialTokens m_specialTokens;
  std::shared_ptr<const Templates> m_templates;
};

}  // namespace ulp::text
