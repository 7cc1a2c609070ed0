#include "views/framework/pass_text.h"

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::PassText", text);
}

}  // namespace

QString passName(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return translate("Forward");
    case Pass::Backward:
      return translate("Backward");
    case Pass::ParameterGradient:
      return translate("Parameter gradients");
    case Pass::Optimizer:
      break;
  }
  return translate("Optimizer");
}

QString passCaption(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return translate("Forward →");
    case Pass::Backward:
      return translate("Backward →");
    case Pass::ParameterGradient:
    case Pass::Optimizer:
      break;
  }
  return passName(pass);
}

}  // namespace ulp::views
