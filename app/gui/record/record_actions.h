#pragma once

#include "app/gui/record/recorder.h"
#include "app/gui/record/recording_dialog.h"
#include "core/experiment/timeline.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace helio {

/// Recording from a window: the dialogs, and the recording that is being made.
/// Ownership: owned by the window, which outlives the object's dialogs.
class RecordActions : public QObject {
    Q_OBJECT

public:
    explicit RecordActions(QWidget& window);

    /// Asks the user what to record and records it. While a recording is made, shows its dialog instead.
    /// `preset`: id of the preset that is selected first; empty for the one that was used last.
    void record(const QString& preset = {});

    const Recorder& recorder() const { return m_recorder; }
    /// True while a recording is made whose dialog is closed.
    bool isHidden() const { return m_recorder.isRecording() && !m_dialog; }
    QString progressText() const; ///< Time and size of the recording, e.g. "7.4 s, 63.6 MB".
    void stop() { m_recorder.stop(); }

    /// Shows the losses of a recording that this object made, with ways to record again, if it has losses. To be called when the window has
    /// read recordings completely.
    void noteOpened(const QStringList& paths, const Timeline& timeline);

    /// Asks whether to close the window if a recording is being made. Returns false if the user wants to go on recording, or if the window
    /// must wait for the end of the recording; it is then closed.
    bool confirmClose();

signals:
    void opened(const QString& path); ///< Emitted when a recording is complete and must be opened.
    void closeRequested(); ///< Emitted when the open recording must be closed, because the user discards it.
    void said(const QString& text); ///< Emitted with a remark for the status bar.
    void changed(); ///< Emitted while a recording is made, when its progress changes, and at its end.

private:
    void start(const RecordedMachine& machine);
    void showProgress();
    void finish(const QString& path, const QString& problem);

    QWidget& m_window;
    Recorder m_recorder;
    QPointer<RecordingDialog> m_dialog;
    QString m_made; ///< Path of the last recording whose losses were not looked at yet; empty if there is none.
    bool m_closesWindow = false; ///< True if the window closes when the recording ends.
};

} // namespace helio
