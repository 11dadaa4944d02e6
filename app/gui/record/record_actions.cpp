#include "app/gui/record/record_actions.h"

#include "app/gui/record/losses_dialog.h"
#include "app/gui/record/record_dialog.h"
#include "app/gui/record/recording_dialog.h"
#include "widgets/time/qt_text.h"

#include <QMessageBox>
#include <QPushButton>
#include <QThreadPool>

#include <filesystem>
#include <utility>

namespace helio {

RecordActions::RecordActions(QWidget& window)
    : QObject(&window)
    , m_window(window)
{
    connect(&m_recorder, &Recorder::changed, this, &RecordActions::changed);
    connect(&m_recorder, &Recorder::saved, this, [this](const QString& path) { emit said(tr("Saved %1").arg(path)); });
    connect(&m_recorder, &Recorder::ended, this, &RecordActions::finish);
}

void RecordActions::record(const QString& preset)
{
    if (m_recorder.isRecording())
        return showProgress();
    QThreadPool::globalInstance()->start(sweepKilledRecordings); // Asks LTTng, which may not answer at once.
    RecordDialog dialog(preset, &m_window);
    if (dialog.exec() == QDialog::Accepted)
        start(dialog.machine());
}

void RecordActions::start(const RecordedMachine& machine)
{
    if (const Status started = m_recorder.start(machine); !started) {
        QMessageBox::warning(&m_window, tr("Record"), tr("Cannot record: %1.").arg(text(started.error().what)));
        return;
    }
    showProgress();
}

void RecordActions::showProgress()
{
    if (!m_dialog) {
        m_dialog = new RecordingDialog(m_recorder, &m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &RecordingDialog::hiddenWhileRecording, this,
                [this] { emit said(tr("Still recording. File > Record shows it again.")); });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void RecordActions::finish(const QString& path, const QString& problem)
{
    if (m_dialog)
        m_dialog->close();
    emit changed();
    const bool closesWindow = std::exchange(m_closesWindow, false);
    if (path.isEmpty() && !problem.isEmpty())
        QMessageBox::warning(&m_window, tr("Record"), problem);
    else // Replaces the remark that the recording goes on.
        emit said(!problem.isEmpty() ? problem : path.isEmpty() ? tr("Recording discarded.") : tr("Recorded %1").arg(path));
    m_made = path;
    if (closesWindow)
        m_window.close();
    else if (!path.isEmpty())
        emit opened(path);
}

void RecordActions::noteOpened(const QStringList& paths, const Timeline& timeline)
{
    if (m_made.isEmpty() || paths != QStringList{m_made})
        return;
    const QString path = std::exchange(m_made, QString());
    const RecordedLosses losses = lossesOf(timeline);
    if (losses.gaps == 0)
        return;
    auto* dialog = new LossesDialog(losses, m_recorder.machine(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &LossesDialog::discardRequested, this, [this, path] {
        emit closeRequested();
        std::error_code ignored;
        std::filesystem::remove_all(path.toStdString(), ignored);
        emit said(tr("Deleted %1").arg(path));
    });
    connect(dialog, &LossesDialog::retryRequested, this, [this](RecordingRequest request) {
        request.folder = newRecordingFolder(request.folder.parent_path(), request);
        const RecordedMachine& before = m_recorder.machine();
        start({request, before.facts, planRecording(request, before.facts)});
    });
    dialog->show();
}

QString RecordActions::progressText() const
{
    const RecordingStatus& status = m_recorder.status();
    return tr("%1 s, %2")
        .arg(static_cast<double>(status.elapsed.count()) / 1e9, 0, 'f', 1)
        .arg(text(bytesText(static_cast<double>(status.bytes))));
}

bool RecordActions::confirmClose()
{
    if (!m_recorder.isRecording())
        return true;
    QMessageBox box(QMessageBox::NoIcon, tr("Record"),
                    tr("A recording is being made. Stop it and close the window? The recording is kept."), QMessageBox::NoButton,
                    &m_window);
    QPushButton* const stop = box.addButton(tr("Stop and close"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (static_cast<QAbstractButton*>(stop) != box.clickedButton())
        return false;
    if (!m_recorder.isRecording())
        return true;
    // Tools, symbols and files of another machine take time, which the user sees.
    m_closesWindow = true;
    m_recorder.stop();
    showProgress();
    return false;
}

} // namespace helio
