#pragma once

#include "core/compare/durations.h"

#include <QWidget>

#include <optional>

namespace helio {

/// The lengths of one cause in A and in B over one another, on a logarithmic scale of time; each side's times in one run. UI thread.
class LengthHistogram : public QWidget {
    Q_OBJECT

public:
    explicit LengthHistogram(QWidget* parent = nullptr);

    void setLengths(std::optional<ComparedDurations> lengths, std::uint32_t runsA, std::uint32_t runsB);

    void setLogarithmic(bool isLogarithmic);

    QSize sizeHint() const override { return {420, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Scale; ///< Which buckets are shown, and where.
    std::optional<Scale> scale() const;
    double perRun(const DurationSpread& spread, std::size_t bucket, std::uint32_t runs) const;
    void paintAxis(QPainter& painter, const Scale& scale) const;
    void paintSpread(QPainter& painter, const Scale& scale, const DurationSpread& spread, std::uint32_t runs, const char* role) const;

    std::optional<ComparedDurations> m_lengths;
    std::uint32_t m_runsA = 1;
    std::uint32_t m_runsB = 1;
    bool m_isLogarithmic = false; ///< Of the heights; lengths always are.
};

} // namespace helio
