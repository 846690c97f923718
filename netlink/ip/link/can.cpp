// ip link ... type can: a CAN controller.
#include <linux/can/netlink.h>

#include "netlink/ip/link/kinds.hpp"
#include "netlink/table.hpp"

namespace nlstream::ip {
namespace {

// linux/can/netlink.h, newer than the headers of Debian 12. Macros there: other names here.
constexpr u32 mode_restricted = 0x800, mode_xl = 0x1000, mode_xl_tdc_auto = 0x2000, mode_xl_tdc_manual = 0x4000, mode_tms = 0x8000;
constexpr u16 xl_bit_timing = 18, xl_tdc = 21, xl_pwm = 22;
constexpr u16 pwm_short = 7, pwm_long = 8, pwm_offset = 9;

/// Transmitter delay compensation; ~0: not said.
struct Compensation {
    u32 value = ~0u, offset = ~0u, filter = ~0u;
};

struct Can {
    can_bittiming bits{}, data{}, xl{};
    can_ctrlmode mode{};
    Compensation tdc, xl_tdc;
    u32 pwm_short = ~0u, pwm_long = ~0u, pwm_offset = ~0u;
};

template <can_bittiming Can::*Timing, u32 can_bittiming::*Member>
void read_timing(Line& line, Can& c) { (c.*Timing).*Member = static_cast<u32>(read_number(line.take("N"))); }

template <can_bittiming Can::*Timing>
void read_sample_point(Line& line, Can& c) {
    auto const& word = line.take("POINT");
    std::string_view rest;
    auto const point = parse_double(word.text, rest);
    if (!point || !rest.empty() || !(*point >= 0 && *point <= 4294967)) fail_value(word, "a sample point", "a fraction such as 0.875");
    // In thousandths; iproute2 counts in single precision.
    (c.*Timing).sample_point = static_cast<u32>(static_cast<float>(*point) * 1000);
}

template <Compensation Can::*Kind, u32 Compensation::*Member>
void read_compensation(Line& line, Can& c) { (c.*Kind).*Member = static_cast<u32>(read_number(line.take("N"))); }

template <u32 Bit>
void read_mode(Line& line, Can& c) {
    // A mode once switched on stays so: "off" only says that it was mentioned.
    if (read_choice(line.take("on or off"), off_on, "this mode")) c.mode.flags |= Bit;
    c.mode.mask |= Bit;
}

constexpr NamedValue compensation_modes[] = {{"off", 0}, {"auto", 1}, {"manual", 2}};

template <u32 Auto, u32 Manual>
void read_compensation_mode(Line& line, Can& c) {
    auto const mode = read_choice(line.take("MODE"), compensation_modes, "this mode");
    u32 const bits = mode == 0 ? Auto | Manual : mode == 1 ? Auto : Manual;
    c.mode.mask |= bits;
    if (mode) c.mode.flags |= bits;
}

// clang-format off
constexpr Row rows[] = {
    {"bitrate*",         "BPS",    custom<read_timing<&Can::bits, &can_bittiming::bitrate>>,      "Bits a second."},
    {"sample-point*",    "POINT",  custom<read_sample_point<&Can::bits>>,                         "Where in a bit it is sampled, 0.000 to 0.999."},
    {"tq*",              "NS",     custom<read_timing<&Can::bits, &can_bittiming::tq>>,           "Length of a time quantum, in nanoseconds."},
    {"prop-seg*",        "TQ",     custom<read_timing<&Can::bits, &can_bittiming::prop_seg>>,     "Propagation segment, in time quanta."},
    {"phase-seg1*",      "TQ",     custom<read_timing<&Can::bits, &can_bittiming::phase_seg1>>,   "First phase segment, in time quanta."},
    {"phase-seg2*",      "TQ",     custom<read_timing<&Can::bits, &can_bittiming::phase_seg2>>,   "Second phase segment, in time quanta."},
    {"sjw*",             "TQ",     custom<read_timing<&Can::bits, &can_bittiming::sjw>>,          "Synchronisation jump width, in time quanta."},
    {"dbitrate*",        "BPS",    custom<read_timing<&Can::data, &can_bittiming::bitrate>>,      "CAN FD: bits a second of the data."},
    {"dsample-point*",   "POINT",  custom<read_sample_point<&Can::data>>,                         "CAN FD: as sample-point, for the data."},
    {"dtq*",             "NS",     custom<read_timing<&Can::data, &can_bittiming::tq>>,           "CAN FD: as tq, for the data."},
    {"dprop-seg*",       "TQ",     custom<read_timing<&Can::data, &can_bittiming::prop_seg>>,     "CAN FD: as prop-seg, for the data."},
    {"dphase-seg1*",     "TQ",     custom<read_timing<&Can::data, &can_bittiming::phase_seg1>>,   "CAN FD: as phase-seg1, for the data."},
    {"dphase-seg2*",     "TQ",     custom<read_timing<&Can::data, &can_bittiming::phase_seg2>>,   "CAN FD: as phase-seg2, for the data."},
    {"dsjw*",            "TQ",     custom<read_timing<&Can::data, &can_bittiming::sjw>>,          "CAN FD: as sjw, for the data."},
    {"tdcv*",            "N",      custom<read_compensation<&Can::tdc, &Compensation::value>>,    "CAN FD: transmitter delay, in clock periods."},
    {"tdco*",            "N",      custom<read_compensation<&Can::tdc, &Compensation::offset>>,   "CAN FD: offset to the transmitter delay, in clock periods."},
    {"tdcf*",            "N",      custom<read_compensation<&Can::tdc, &Compensation::filter>>,   "CAN FD: least transmitter delay, in clock periods."},
    {"xl",               "on|off", custom<read_mode<mode_xl>>,                                    "Sends and takes CAN XL frames."},
    {"xbitrate",         "BPS",    custom<read_timing<&Can::xl, &can_bittiming::bitrate>>,        "CAN XL: bits a second of the data."},
    {"xsample-point",    "POINT",  custom<read_sample_point<&Can::xl>>,                           "CAN XL: as sample-point, for the data."},
    {"xtq",              "NS",     custom<read_timing<&Can::xl, &can_bittiming::tq>>,             "CAN XL: as tq, for the data."},
    {"xprop-seg",        "TQ",     custom<read_timing<&Can::xl, &can_bittiming::prop_seg>>,       "CAN XL: as prop-seg, for the data."},
    {"xphase-seg1",      "TQ",     custom<read_timing<&Can::xl, &can_bittiming::phase_seg1>>,     "CAN XL: as phase-seg1, for the data."},
    {"xphase-seg2",      "TQ",     custom<read_timing<&Can::xl, &can_bittiming::phase_seg2>>,     "CAN XL: as phase-seg2, for the data."},
    {"xsjw",             "TQ",     custom<read_timing<&Can::xl, &can_bittiming::sjw>>,            "CAN XL: as sjw, for the data."},
    {"xtdcv",            "N",      custom<read_compensation<&Can::xl_tdc, &Compensation::value>>,  "CAN XL: as tdcv."},
    {"xtdco",            "N",      custom<read_compensation<&Can::xl_tdc, &Compensation::offset>>, "CAN XL: as tdco."},
    {"xtdcf",            "N",      custom<read_compensation<&Can::xl_tdc, &Compensation::filter>>, "CAN XL: as tdcf."},
    {"pwms",             "N",      U32(keep<&Can::pwm_short>),                                    "CAN XL: the short phase of a PWM symbol, in clock periods."},
    {"pwml",             "N",      U32(keep<&Can::pwm_long>),                                     "CAN XL: the long phase of a PWM symbol, in clock periods."},
    {"pwmo",             "N",      U32(keep<&Can::pwm_offset>),                                   "CAN XL: offset of the PWM symbols, in clock periods."},
    {"loopback*",        "on|off", custom<read_mode<CAN_CTRLMODE_LOOPBACK>>,                      "Receive what is sent."},
    {"listen-only*",     "on|off", custom<read_mode<CAN_CTRLMODE_LISTENONLY>>,                    "Never send, not even acknowledgements."},
    {"triple-sampling*", "on|off", custom<read_mode<CAN_CTRLMODE_3_SAMPLES>>,                     "Sample each bit three times."},
    {"one-shot*",        "on|off", custom<read_mode<CAN_CTRLMODE_ONE_SHOT>>,                      "Do not send again what nobody acknowledged."},
    {"berr-reporting*",  "on|off", custom<read_mode<CAN_CTRLMODE_BERR_REPORTING>>,                "Tell of errors on the bus."},
    {"fd*",              "on|off", custom<read_mode<CAN_CTRLMODE_FD>>,                            "Sends and takes CAN FD frames."},
    {"fd-non-iso*",      "on|off", custom<read_mode<CAN_CTRLMODE_FD_NON_ISO>>,                    "CAN FD as it was before ISO 11898-1:2015."},
    {"presume-ack*",     "on|off", custom<read_mode<CAN_CTRLMODE_PRESUME_ACK>>,                   "Take a missing acknowledgement for one."},
    {"cc-len8-dlc*",     "on|off", custom<read_mode<CAN_CTRLMODE_CC_LEN8_DLC>>,                   "Classical CAN: keep length codes above 8."},
    {"tdc-mode*",        "MODE",   custom<read_compensation_mode<CAN_CTRLMODE_TDC_AUTO, CAN_CTRLMODE_TDC_MANUAL>>, "CAN FD: transmitter delay compensation: auto, manual or off."},
    {"restricted",       "on|off", custom<read_mode<mode_restricted>>,                            "Never send, but acknowledge."},
    {"xtdc-mode",        "MODE",   custom<read_compensation_mode<mode_xl_tdc_auto, mode_xl_tdc_manual>>, "CAN XL: as tdc-mode."},
    {"tms",              "on|off", custom<read_mode<mode_tms>>,                                   "CAN XL: switch the transceiver's mode."},
    {"restart*",         "",       put_u32(IFLA_CAN_RESTART, 1),                                  "Restart a controller that went off the bus."},
    {"restart-ms*",      "MS",     U32(IFLA_CAN_RESTART_MS),                                      "Restart it after MS milliseconds (0: never)."},
    {"termination*",     "OHM",    U16(IFLA_CAN_TERMINATION),                                     "Termination of the bus, in ohm (0: none)."},
};
// clang-format on
constexpr auto table = keywords<Can>(rows);

void put_timing(Line& line, u16 attribute, can_bittiming const& timing) {
    if (timing.bitrate || timing.tq) line.out.put(attribute, timing);
}

struct Part {
    u16 attribute;
    u32 value;
};

/// A nest of the values that were said; nothing if none was.
void put_parts(Line& line, u16 attribute, std::array<Part, 3> const& parts) {
    if ((parts[0].value & parts[1].value & parts[2].value) == ~0u) return;
    line.out.nest(static_cast<u16>(attribute | NLA_F_NESTED), [&] {
        for (auto const& part : parts)
            if (part.value != ~0u) line.out.put(part.attribute, part.value);
    });
}

void put_compensation(Line& line, u16 attribute, Compensation const& tdc) {
    put_parts(line, attribute, {{{IFLA_CAN_TDC_TDCV, tdc.value}, {IFLA_CAN_TDC_TDCO, tdc.offset}, {IFLA_CAN_TDC_TDCF, tdc.filter}}});
}

void read(Line& line) {
    Can c;
    Reader(table, c).read_all(line);
    line.source_keyword("bitrate");
    put_timing(line, IFLA_CAN_BITTIMING, c.bits);
    line.source_keyword("dbitrate");
    put_timing(line, IFLA_CAN_DATA_BITTIMING, c.data);
    line.source_keyword("xbitrate");
    put_timing(line, xl_bit_timing, c.xl);
    line.out.source(line.last().span);
    if (c.mode.mask) line.out.put(IFLA_CAN_CTRLMODE, c.mode);
    put_compensation(line, IFLA_CAN_TDC, c.tdc);
    put_compensation(line, xl_tdc, c.xl_tdc);
    put_parts(line, xl_pwm, {{{pwm_short, c.pwm_short}, {pwm_long, c.pwm_long}, {pwm_offset, c.pwm_offset}}});
}

}  // namespace

extern constinit LinkKind const can_link = {{"link", "can", "A CAN controller.", {{{"", table}}}}, read};

}  // namespace nlstream::ip
