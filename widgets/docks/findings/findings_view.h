#pragma once

#include "core/findings/findings.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <vector>

class QComboBox;
class QPushButton;

namespace helio {

class FindingCard;

/// Part of a recording in which findings are searched.
struct FindingPlace {
    enum class Kind : std::uint8_t { Whole, SelectedRange, Host, Process };
    Kind kind = Kind::Whole;
    std::uint32_t host = 0; ///< Index into Timeline::hosts, for a host or a process.
    std::int32_t pid = -1; ///< PID of a process; its TID if the PID is unknown.
    QString name; ///< Name in the list, e.g. "diskload (200)".

    bool operator==(const FindingPlace& other) const { return kind == other.kind && host == other.host && pid == other.pid; }
};

/// Dock with what stands out in the recording, the selected range, a host or a process: findings, the most time explained first, and the
/// quality of the recording. Findings are listed as they are found; the list keeps its order while the pointer is over it. A finding leads
/// to its evidence, and the selected finding is marked in overview, ruler and rows.
/// Threads: UI thread; the finders run on other threads, once the recording is indexed and while the dock is visible.
class FindingsView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit FindingsView(ViewContext& context, QWidget* parent = nullptr);

    const Findings* findings() const { return m_findings.get(); } ///< Shown findings; nullptr before the first result.
    bool isBusy() const { return m_job.isBusy(); }
    void select(std::size_t index); ///< Selects a finding and marks it. Requires: there is a finding with this index.
    void follow(std::size_t index); ///< Selects a finding and goes to its current occurrence.
    QString plainText() const; ///< Returns all findings and the quality of the recording, for copying.

    ShownCommand shownCommand() const override;

private:
    const FindingPlace& place() const;
    bool isOfSelection() const { return place().kind == FindingPlace::Kind::SelectedRange; }
    void showPlaces();
    void fetch();
    void stop();
    void take(Findings findings, bool isDone);
    void fill();
    void fillHead();
    void showReason();
    void addCards();
    void addQuality();
    void addUnable();
    std::vector<std::size_t> order() const;
    void toggle(std::size_t index);
    void onMarksChanged();
    void goTo(std::size_t index, bool explains);
    void step(std::size_t index, int change);
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    ViewContext& m_context;
    QLabel* m_count;
    QLabel* m_what;
    QPushButton* m_stop; ///< Button that cancels or continues the search.
    QComboBox* m_scope;
    class ProgressBar;
    ProgressBar* m_progress;
    ScrollPage* m_page;
    QLabel* m_finders;
    QPushButton* m_copy;
    std::vector<FindingPlace> m_places; ///< Items of m_scope.
    std::vector<FindingPlace> m_processes; ///< Processes of the findings in the whole recording, the most time explained first.
    std::vector<FindingCard*> m_cards; ///< Cards of the findings, in the order of the findings.
    std::vector<QString> m_shownOrder; ///< Keys of the findings from top to bottom.
    QString m_selected; ///< Key of the selected finding; empty if none is selected.
    bool m_isPointerInside = false;
    bool m_showsCommands = false; ///< True to list the commands that record what finders lack.
    bool m_isCancelled = false;
    std::shared_ptr<const Timeline> m_of; ///< Timeline of m_findings.
    std::shared_ptr<const Findings> m_findings;
    TimeRange m_window{}; ///< Range of m_findings.
    std::shared_ptr<const FindingMarks> m_marks; ///< Marks that this view set.
    std::shared_ptr<const Timeline> m_asked; ///< Timeline of the latest question.
    TimeRange m_askedRange{};
    FindingPlace m_askedPlace;
    LatestTask m_job;
};

} // namespace helio
