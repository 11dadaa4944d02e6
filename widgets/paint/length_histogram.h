#pragma once

#include "core/query/rows/duration_spread.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace helio {

/// The lengths of one thing in a histogram.
struct ShownLengths {
    DurationSpread lengths;
    double parts = 1; ///< Heights are the times of one part: a run of several. Above 0.
    QString color; ///< A role of the themes.
    QString times; ///< For tips: "%1 times in A".
};

/// The lengths of one or two things over one another, on a logarithmic scale of time. UI thread.
class LengthHistogram : public QWidget {
    Q_OBJECT

public:
    explicit LengthHistogram(QWidget* parent = nullptr);

    /// Those that come later are drawn over the others. None: nothing is drawn.
    void setLengths(std::vector<ShownLengths> lengths);

    /// What heights are: "times in one run".
    void setHeightTitle(const QString& title);

    void setLogarithmic(bool isLogarithmic);

    QSize sizeHint() const override { return {420, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Scale; ///< Which buckets are shown, and where.
    std::optional<Scale> scale() const;
    void paintAxis(QPainter& painter, const Scale& scale) const;
    void paintLengths(QPainter& painter, const Scale& scale, const ShownLengths& shown) const;

    std::vector<ShownLengths> m_lengths;
    QString m_heightTitle;
    bool m_isLogarithmic = false; ///< Of the heights; lengths always are.
};

} // namespace helio
