#pragma once

#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QTest>

namespace helio {

inline const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

inline QString clipboard() { return QGuiApplication::clipboard()->text(); }

inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A window with opened traces; files are saved into its temporary folder.
struct OpenWindow {
    explicit OpenWindow(const QStringList& paths = {Sample})
    {
        isReady = test::openIn(window, paths);
        window.context().setAskPath(
            [this](const QString&, const QString& suggestion, const QString&) { return home.filePath(suggestion); });
        QTest::qWait(0);
    }
    void trigger(const char* id) { window.actions().at(id).trigger(); }
    void focus(const char* view)
    {
        window.docks().show(view);
        // Reports the view as focused: without a display, windows do not become active and Qt does not emit the signal.
        emit qApp->focusChanged(nullptr, window.docks().view(view));
    }
    void focusPanel(const std::string& view)
    {
        TimePanel* panel = area().panel(view);
        panel->body()->setFocus();
        emit qApp->focusChanged(nullptr, panel->body());
    }
    /// Triggers "Copy as command" and returns the copied command; empty if the view offers none.
    QString copied()
    {
        QGuiApplication::clipboard()->clear();
        trigger("file.copy-command");
        return clipboard();
    }
    /// True if the status bar shows the text.
    bool isSaid(const QString& text)
    {
        for (const QLabel* label : window.findChild<StatusBar*>()->findChildren<QLabel*>())
            if (label->text().contains(text))
                return true;
        return false;
    }
    TimeArea& area() { return *window.findChild<TimeArea*>(); }

    test::OwnHome home;
    MainWindow window;
    bool isReady = false;
};

} // namespace helio
