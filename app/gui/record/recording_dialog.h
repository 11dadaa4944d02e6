#pragma once

#include <QDialog>

class QLabel;
class QPushButton;

namespace helio {

class Pill;
class Recorder;

/// Window that shows a recording while it is made: time, size, rate and losses, with buttons that end it. Closing the window goes on
/// recording.
class RecordingDialog : public QDialog {
    Q_OBJECT

public:
    /// Ownership: `recorder` outlives the dialog.
    explicit RecordingDialog(Recorder& recorder, QWidget* parent = nullptr);

signals:
    void hiddenWhileRecording(); ///< Emitted when the user closes the window and the recording goes on.

private:
    void update();
    void askToDiscard();
    void closeEvent(QCloseEvent* event) override;
    void reject() override;

    class RateGraph;
    class RecordingDot;
    Recorder& m_recorder;
    RecordingDot* m_dot;
    QLabel* m_time;
    QLabel* m_state;
    QLabel* m_until;
    QLabel* m_tool;
    QLabel* m_size;
    QLabel* m_rate;
    QLabel* m_lost;
    RateGraph* m_graph;
    QLabel* m_free;
    QLabel* m_foot;
    QPushButton* m_save;
    QPushButton* m_discard;
    QPushButton* m_stop;
};

} // namespace helio
