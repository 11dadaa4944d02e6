#pragma once

#include "core/timesync/host_headings.h"
#include "core/waits/path/explain_wait.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/time/time_format.h"

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// Returns the error bound of a step's times relative to the host of the first step, e.g. "±18 µs"; empty if the step is on that host.
QString errorWords(const WaitStep& step);

/// Table of the steps of a wait: what happened, when, and how long it took.
/// Threads: UI thread.
class StepModel : public ColumnModel<WaitStep> {
    Q_OBJECT

public:
    enum Column { What, When, Length };

    explicit StepModel(QObject* parent);

    /// Sets the steps. `main`: index of the highlighted step, which is the longest step of the main cause.
    void setSteps(std::shared_ptr<const Timeline> timeline, std::vector<WaitStep> steps, std::size_t main, const TimeFormat& format);
    bool isMain(int row) const { return std::size_t(row) == m_main; }
    /// Host of the step's row; nullptr if the experiment has one host.
    const HostHeading* hostOf(const WaitStep& step) const;
    /// Returns header data; titles are aligned left.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString tipOf(const WaitStep& step) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<HostHeading> m_hosts;
    TimeFormat m_format;
    std::size_t m_main = 0; ///< Index of the highlighted step.
};

/// Delegate that draws a step: a mark of 3 x 12 pixels in the colour of its kind, the badge of the host, and the text. A step that is
/// broken down into other steps is fainter than those.
class StepDelegate : public LineDelegate {
public:
    static constexpr int Height = 22;

    explicit StepDelegate(QObject* parent)
        : LineDelegate(parent, {Height, 8})
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override;
};

} // namespace helio
