#pragma once

#include "app/gui/compare_window/compare_window.h"
#include "tests/support/own_home.h"

#include <QAction>
#include <QTest>

namespace helio::test {

/// A comparison window with the traces `a` on side A and `b` on side B. It is shown, and uses a temporary home folder and store folder.
struct OpenComparison {
    explicit OpenComparison(const QStringList& a, const QStringList& b)
    {
        options.storeDirectory = home.filePath("stores").toStdString();
        window.show();
        window.open(comparisonOf(a, b), options);
    }
    /// Waits until the traces of both sides are read; returns false if that takes more than 20 s.
    bool isReady()
    {
        return QTest::qWaitFor(
            [this] {
                return window.session(Side::A).state() == Session::State::Ready && window.session(Side::B).state() == Session::State::Ready;
            },
            20'000);
    }
    /// Returns the window's action with the id (objectName) `id`; nullptr if the window has no such action.
    QAction* action(const char* id)
    {
        for (QAction* const it : window.findChildren<QAction*>())
            if (it->objectName() == id)
                return it;
        return nullptr;
    }

    OwnHome home;
    CompareWindow window;
    ExperimentOptions options;
};

} // namespace helio::test
