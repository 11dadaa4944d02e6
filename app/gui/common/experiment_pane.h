#pragma once

#include "app/gui/common/navigator.h"
#include "app/gui/common/session.h"
#include "widgets/timeline/panels/time_area.h"

#include <QPointer>

class QWidget;

namespace helio {

class StatusBar;

/// One experiment of a window: its session, the context that its views share, and the time panels that show it. Shows questions in
/// dialogs of the window and reports in the window's status bar.
///
/// Ownership: the window adds area(), and optionally area().overview(), to its layout and then owns these widgets. Other
/// widgets that use the context, for example docks, must be destroyed before the pane.
/// Threads: UI thread.
class ExperimentPane : public QObject {
    Q_OBJECT

public:
    /// Creates a pane. `letter` names the pane if the window has several, for example "A"; empty for a single pane. `changes`: history of
    /// the window's changes, which outlives the pane; nullptr if the pane must create its own history.
    ExperimentPane(QWidget& window, StatusBar& status, const QString& letter = {}, ChangeHistory* changes = nullptr);
    ~ExperimentPane() override;

    const QString& letter() const { return m_letter; }
    ViewContext& context() { return m_context; }
    TimeWindow& time() { return m_context.time(); }
    Session& session() { return m_session; }
    Navigator& navigator() { return m_navigator; }
    TimeArea& area() { return *m_area; }
    TimeAxis& axis() { return m_area->axis(); }

    /// Gives the rows the keyboard focus. hasFocus() returns true if the rows have the focus.
    void focusRows();
    bool hasFocus() const;

    bool isBeingRead() const; ///< True while the experiment is being opened or read.
    /// Cancels the current work: opening or reading, else a search. The stop button of the status bar calls this function.
    void cancel();

    /// Connects the visible range, selection and cursor of this pane to the status bar. Requires: no other pane is connected to the status
    /// bar.
    void showTimes();
    /// Shows the progress of the current work in the status bar. Returns false if there is no work.
    bool showProgress();

signals:
    void progressChanged(); ///< Emitted when the progress in the status bar (see showProgress()) has changed.

private:
    void ask(QWidget& window);
    void wire();
    void showTimeTexts();
    QString named(const QString& work) const { return m_letter.isEmpty() ? work : work + ' ' + m_letter; }

    StatusBar& m_status;
    QString m_letter;
    ViewContext m_context;
    Session m_session;
    Navigator m_navigator;
    QPointer<TimeArea> m_area; ///< Time panels of the pane; nullptr after the window deleted them.
};

} // namespace helio
