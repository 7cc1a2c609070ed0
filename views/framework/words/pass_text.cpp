#include "views/framework/words/pass_text.h"

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

struct PassTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::PassText)
};

}  // namespace

QString passName(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return PassTextWords::tr("Forward");
    case Pass::Backward:
      return PassTextWords::tr("Backward");
    case Pass::ParameterGradient:
      return PassTextWords::tr("Parameter gradients");
    case Pass::Optimizer:
      break;
  }
  return PassTextWords::tr("Optimizer");
}

QString passCaption(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return PassTextWords::tr("Forward →");
    case Pass::Backward:
      return PassTextWords::tr("Backward →");
    case Pass::ParameterGradient:
    case Pass::Optimizer:
      break;
  }
  return passName(pass);
}

}  // namespace ulp::views
