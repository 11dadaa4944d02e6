#pragma once

#include "widgets/time/qt_text.h"

#include <QCoreApplication>

namespace helio {

// Translation for the free functions of this folder, which all use the context "StateTip".

inline QString tr(const char* text) { return QCoreApplication::translate("StateTip", text); }

} // namespace helio
