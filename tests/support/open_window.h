#pragma once

#include "app/gui/main_window/main_window.h"

#include <QTest>

namespace helio::test {

inline const QString WorkersSample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

/// Shows a window of `size` pixels and opens traces in it. Returns true when they are read, false if that takes more than 20 s.
inline bool openIn(MainWindow& window, const QStringList& paths = {WorkersSample}, QSize size = {1440, 900})
{
    window.resize(size);
    window.show();
    window.open(paths);
    return QTest::qWaitFor([&window] { return window.session().state() == Session::State::Ready; }, 20'000);
}

} // namespace helio::test
