#include "tests/support/color_vision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace helio::test {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix MachadoProtan{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix MachadoDeutan{{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix MachadoTritan{{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix VienotProtan{{{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}};
constexpr Matrix VienotDeutan{{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}};
constexpr Matrix LinearToXyz{{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr Triple WhiteD65{0.95047, 1, 1.08883};

Triple operator*(const Matrix& matrix, const Triple& vector)
{
    Triple product{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            product[row] += matrix[row][column] * vector[column];
    return product;
}

Triple linearRgb(Rgb color)
{
    const auto linear = [&](int shift) {
        const double c = ((color >> shift) & 0xFF) / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {linear(16), linear(8), linear(0)};
}

/// Returns the CIE 1976 L*a*b* coordinates of a colour in linear sRGB.
Triple labFromLinearRgb(Triple rgb)
{
    for (double& c : rgb)
        c = std::clamp(c, 0.0, 1.0);
    Triple f = LinearToXyz * rgb;
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / WhiteD65[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }
double radians(double degrees) { return degrees * std::numbers::pi / 180; }
double seventhPower(double x) { return std::pow(x, 7); }

/// Returns the CIEDE2000 difference of two colours in L*a*b*. The variables have the names of the paper by Sharma, Wu and Dalal.
double ciede2000(const Triple& first, const Triple& second)
{
    const double meanC = (std::hypot(first[1], first[2]) + std::hypot(second[1], second[2])) / 2;
    const double g = 0.5 * (1 - std::sqrt(seventhPower(meanC) / (seventhPower(meanC) + seventhPower(25))));
    const auto hue = [](double a, double b) {
        const double h = a == 0 && b == 0 ? 0 : degrees(std::atan2(b, a));
        return h < 0 ? h + 360 : h;
    };
    const double a1 = first[1] * (1 + g);
    const double a2 = second[1] * (1 + g);
    const double c1 = std::hypot(a1, first[2]);
    const double c2 = std::hypot(a2, second[2]);
    const double h1 = hue(a1, first[2]);
    const double h2 = hue(a2, second[2]);
    const bool isGrey = c1 * c2 == 0;

    double deltaHue = isGrey ? 0 : h2 - h1;
    if (deltaHue > 180)
        deltaHue -= 360;
    else if (deltaHue < -180)
        deltaHue += 360;
    const double deltaL = second[0] - first[0];
    const double deltaC = c2 - c1;
    const double deltaH = 2 * std::sqrt(c1 * c2) * std::sin(radians(deltaHue / 2));

    double meanHue = h1 + h2;
    if (!isGrey && std::abs(h1 - h2) <= 180)
        meanHue /= 2;
    else if (!isGrey)
        meanHue = meanHue < 360 ? (meanHue + 360) / 2 : (meanHue - 360) / 2;
    const double l = (first[0] + second[0]) / 2;
    const double c = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(radians(meanHue - 30)) + 0.24 * std::cos(radians(2 * meanHue))
        + 0.32 * std::cos(radians(3 * meanHue + 6)) - 0.20 * std::cos(radians(4 * meanHue - 63));
    const double rotation = -2 * std::sqrt(seventhPower(c) / (seventhPower(c) + seventhPower(25)))
        * std::sin(radians(60 * std::exp(-std::pow((meanHue - 275) / 25, 2))));
    const double sl = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
    const double sc = 1 + 0.045 * c;
    const double sh = 1 + 0.015 * c * t;
    return std::sqrt(std::pow(deltaL / sl, 2) + std::pow(deltaC / sc, 2) + std::pow(deltaH / sh, 2)
                     + rotation * (deltaC / sc) * (deltaH / sh));
}

std::vector<Matrix> simulationsOf(Vision vision)
{
    switch (vision) {
    case Vision::Protan: return {MachadoProtan, VienotProtan};
    case Vision::Deutan: return {MachadoDeutan, VienotDeutan};
    case Vision::Tritan: return {MachadoTritan};
    case Vision::Normal: break;
    }
    return {Matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
}

} // namespace

double colorDifference(Rgb a, Rgb b, Vision vision)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const Matrix& simulation : simulationsOf(vision))
        smallest = std::min(smallest, ciede2000(labFromLinearRgb(simulation * linearRgb(a)), labFromLinearRgb(simulation * linearRgb(b))));
    return smallest;
}

double smallestColorDifference(Rgb a, Rgb b)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const Vision vision : {Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan})
        smallest = std::min(smallest, colorDifference(a, b, vision));
    return smallest;
}

} // namespace helio::test
