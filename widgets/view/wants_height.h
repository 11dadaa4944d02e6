#pragma once

namespace helio {

/// A view that is of little use in a low dock: while it is in front its dock is at least so high by itself, as far as there is room. Where a
/// person has sized the dock, that counts.
class WantsHeight {
public:
    virtual ~WantsHeight() = default;
    virtual int wantedHeight() const = 0; ///< Pixels.
};

} // namespace helio
