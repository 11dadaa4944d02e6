#pragma once

#include "widgets/time/time_format.h"

#include <QDialog>
#include <QList>
#include <QString>
#include <QStringList>

class QPushButton;
class QTreeWidget;

namespace helio {

struct Timeline;

/// A recording in an archive or folder that the user may choose.
struct OfferedRecording {
    QString path; ///< Path with which the recording is opened alone, as in "traces.tar.gz/kernel".
    QString host;
    QString kind; ///< Tracer, for example "LTTng kernel".
    QString begin; ///< Date and time of the first event; empty if the recording has no times.
    QString duration; ///< Empty if the recording has no times.
    QString format; ///< Format of the recording and how the format was recognized, for example "perf.data, by its magic number".
    /// Phrase for the user about the relation of the recording's clock to the experiment's clock (clockRelation()); empty if the recording
    /// has no times.
    QString clock;
    bool isMarked = true;
    bool operator==(const OfferedRecording&) const = default;
};

/// Returns the recordings of the timeline in order of time. Marks all of them if their times overlap; if they are apart (areApart()), marks
/// only those of shownGroup(). Begins of wall clocks have dates, whatever the format. Empty if the times of some are not known yet.
QList<OfferedRecording> offeredRecordings(const Timeline& timeline, const TimeFormat& format);

/// Dialog in which the user chooses the recordings to open together.
class RecordingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit RecordingsDialog(const QList<OfferedRecording>& recordings, QWidget* parent = nullptr);

    QStringList chosen() const; ///< Returns the paths of the marked recordings.

    /// Shows the dialog and returns the paths of the chosen recordings; empty if the user cancelled.
    static QStringList ask(const QList<OfferedRecording>& recordings, QWidget* parent);

private:
    QTreeWidget* m_list;
    QPushButton* m_open;
};

} // namespace helio
