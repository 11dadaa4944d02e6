#pragma once

#include <QWidget>

#include <optional>

namespace helio {

/// Base class of painted cards with lines, some of which are links: the user follows them by a click, or by Enter and Space on the current
/// line. Up, Down, Home and End move the current line while the card has the focus.
/// Threads: UI thread.
class LineCard : public QWidget {
    Q_OBJECT

public:
    explicit LineCard(QWidget* parent = nullptr);

    virtual std::size_t lineCount() const = 0;
    virtual QRect lineRect(std::size_t index) const = 0;
    virtual bool isFollowable(std::size_t index) const = 0;
    virtual QString words(std::size_t index) const = 0; ///< Returns the complete text of a line, for accessibility and tooltips.
    /// Index of the line with the keyboard focus, which Enter follows; nullopt if no line is a link.
    std::optional<std::size_t> current() const { return m_current; }

protected:
    /// Follows the link of a line, which may replace the card's lines. Requires isFollowable(index).
    virtual void follow(std::size_t index) = 0;

    /// Updates the card. Subclasses must call it after the lines changed.
    void linesChanged(const QString& title);
    void paintGround(QPainter& painter, const QString& title) const;
    void paintFocus(QPainter& painter) const; ///< Paints a frame around the current line if the card has the focus.

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

private:
    std::optional<std::size_t> lineAt(const QPoint& at) const;
    std::optional<std::size_t> nextLine(std::optional<std::size_t> from, bool isForward) const;
    void setCurrent(std::optional<std::size_t> line);

    std::optional<std::size_t> m_current;
};

} // namespace helio
