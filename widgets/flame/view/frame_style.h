#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// Colours and texts of frames, for flame graphs that do not colour frames by module and do not show shares of samples. Immutable.
class FrameStyle {
public:
    virtual ~FrameStyle() = default;

    /// Returns the theme roles of the frames' fill colours.
    virtual const std::vector<QString>& roles() const = 0;
    virtual std::uint8_t roleOf(std::uint32_t node) const = 0; ///< Returns the index of a frame's role in roles().
    /// True if only the outline of the frame has its colour.
    virtual bool isOutlined(std::uint32_t node) const = 0;

    struct FrameTexts {
        QString strong;
        QString plain;
    };
    /// Returns the texts at the right end of a wide frame.
    virtual FrameTexts frameTexts(std::uint32_t node) const = 0;
    virtual QString rootName() const = 0;
    /// Returns a description of a frame in one sentence, for screen readers.
    virtual QString description(std::uint32_t node) const = 0;
};

} // namespace helio
