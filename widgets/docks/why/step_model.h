#pragma once

#include "core/timesync/host_headings.h"
#include "core/waits/path/why.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace helio {

struct Timeline;

/// "±18 µs": what a step's times are right within beside those of the first one's host. Empty: it is on that host.
QString errorWords(const WhyStep& step);

/// Steps of a wait as lines: what, when, how long. UI thread.
class StepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, When, Length, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// `main`: the step that stands out, the longest of the main cause.
    void setSteps(std::shared_ptr<const Timeline> timeline, std::vector<WhyStep> steps, std::size_t main, const TimeFormat& format);
    const WhyStep& step(int line) const { return m_steps[std::size_t(line)]; }
    /// Of its row; null: there is one host.
    const HostHeading* hostOf(const WhyStep& step) const;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_steps.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(Columns); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<WhyStep> m_steps;
    std::vector<HostHeading> m_hosts;
    TimeFormat m_format;
    std::size_t m_main = 0; ///< Index of the step that stands out.
};

/// Draws a line: 3 x 12 of the kind's colour, the host's badge, the words; a step that is gone into is fainter than what it consists of.
class StepDelegate : public QStyledItemDelegate {
public:
    static constexpr int Height = 22;

    explicit StepDelegate(const StepModel& model, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const StepModel& m_model;
};

} // namespace helio
